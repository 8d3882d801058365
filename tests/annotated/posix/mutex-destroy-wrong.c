/* The mutex is destroyed while another thread may hold it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
	pthread_mutex_lock(&lock);
	value++; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_mutex_destroy(&lock); // RACE!
	pthread_join(t, NULL);
	return 0;
}
