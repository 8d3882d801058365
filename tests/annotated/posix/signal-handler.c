/* The handler runs at any time, in any thread. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static int counted;

static void handler(int sig)
{
	counted += sig; // RACE!
	stop = 1; // RACE!
}

static void *worker(void *arg)
{
	while (!stop) // RACE!
		counted++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGINT, handler);
	pthread_create(&t, NULL, worker, NULL);
	pause();
	pthread_join(t, NULL);
	return 0;
}
