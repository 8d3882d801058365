/* The handles are in a global array that only main writes. */
#include <pthread.h>
#include <stdio.h>

#define N 4

static pthread_t threads[N];
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL); // NORACE
	printf("%d\n", total); // NORACE
	return 0;
}
