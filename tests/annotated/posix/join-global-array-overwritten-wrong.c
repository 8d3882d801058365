/* All handles are put in the first element. */
#include <pthread.h>
#include <stdio.h>

#define N 4

static pthread_t threads[N];
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&threads[0], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", total); // RACE!
	return 0;
}
