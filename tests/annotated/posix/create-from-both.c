/* Threads of one function, made by main and by another thread. */
#include <pthread.h>

static int count, locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	count++; // RACE!
	pthread_mutex_lock(&lock);
	locked++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *spawner(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return arg;
}

int main(void)
{
	pthread_t t, s;

	pthread_create(&s, NULL, spawner, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
