/* The same, installed with sigaction. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int counted;

static void handler(int sig)
{
	counted += sig; // RACE!
}

static void *worker(void *arg)
{
	counted++; // RACE!
	return arg;
}

int main(void)
{
	struct sigaction action;
	pthread_t t;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(SIGINT, &action, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
