/* Each round waits for the thread of the round before: two at a time. */
#include <pthread.h>

static int total;

static void *worker(void *arg)
{
	total++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t before;

	pthread_create(&before, NULL, worker, NULL);
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		pthread_create(&t, NULL, worker, NULL);
		pthread_join(before, NULL);
		before = t;
	}
	pthread_join(before, NULL);
	return 0;
}
