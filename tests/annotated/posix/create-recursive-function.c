/* A function that calls itself makes a thread each time. */
#include <pthread.h>

static int shared;

static void *worker(void *arg)
{
	shared++; // RACE!
	return arg;
}

static void spawn(int n)
{
	pthread_t t;

	if (n == 0)
		return;
	pthread_create(&t, NULL, worker, NULL);
	spawn(n - 1);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	spawn(argc);
	return 0;
}
