/* The mutex is initialized after the thread that uses it was made. */
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock); // RACE!
	value++; // NORACE
	pthread_mutex_unlock(&lock); // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_init(&lock, NULL); // RACE!
	pthread_mutex_lock(&lock);
	value++; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
