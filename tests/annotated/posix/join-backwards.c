/* The join loop counts down from where the other has ended, and the bound is a variable that nobody changes. */
#include <pthread.h>
#include <stdio.h>

static int n = 4;
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
	pthread_t threads[4];
	int i = 0;

	while (i < n) {
		pthread_create(&threads[i], NULL, worker, NULL);
		i++;
	}
	while (i-- > 0)
		pthread_join(threads[i], NULL);
	printf("%d\n", total); // NORACE
	return 0;
}
