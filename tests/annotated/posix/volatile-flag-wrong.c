/* Volatile is no synchronization. */
#include <pthread.h>
#include <stdio.h>

static volatile int stop;
static volatile int rounds;

static void *worker(void *arg)
{
	while (!stop) // RACE!
		rounds++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	while (rounds < 1000) // RACE!
		;
	stop = 1; // RACE!
	pthread_join(t, NULL);
	printf("%d\n", rounds); // NORACE
	return 0;
}
