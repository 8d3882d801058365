/* One fewer is joined than was made. */
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

static void run(int made, int joined)
{
	pthread_t threads[8];

	for (int i = 0; i < made; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < joined; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	run(4, 3);
	printf("%d\n", total); // RACE!
	return 0;
}
