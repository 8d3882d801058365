/* Two threads of one function, of which only one is joined. */
#include <pthread.h>
#include <stdio.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	count++; // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	printf("%d\n", count); // RACE!
	pthread_join(b, NULL);
	printf("%d\n", count); // NORACE
	return 0;
}
