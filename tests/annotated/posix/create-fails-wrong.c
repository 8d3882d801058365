/* The test is the wrong way round: main waits where there is no thread, and goes on where there is one. */
#include <pthread.h>

static int value;

static void *worker(void *arg)
{
	value = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t = 0;

	if (pthread_create(&t, NULL, worker, NULL))
		pthread_join(t, NULL);
	return value; // RACE!
}
