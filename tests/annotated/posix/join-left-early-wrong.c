/* The loop that makes threads may end early; the other one counts down from there, and leaves out the first. */
#include <pthread.h>
#include <stdio.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	int i = 0;

	for (i = 0; i < 4; i++) {
		if (i == argc)
			break;
		pthread_create(&threads[i], NULL, worker, NULL);
	}
	while (--i > 0)
		pthread_join(threads[i], NULL);
	printf("%d\n", total); // RACE!
	return 0;
}
