/* The lock is given back by a cleanup handler if the thread is cancelled. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, after;

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void *waiter(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	while (!ready) // NORACE
		pthread_cond_wait(&cond, &lock);
	ready = 0; // NORACE
	pthread_cleanup_pop(1);
	after++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, waiter, NULL);
	pthread_mutex_lock(&lock);
	ready = 1; // NORACE
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	pthread_cancel(a);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
