/* What was read before waiting is written after it; and one waits with another mutex. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, data, extra;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&other);
	while (!ready) // RACE!
		pthread_cond_wait(&cond, &other);
	data++; // RACE!
	pthread_mutex_unlock(&other);
	extra = 1; // RACE!
	return arg;
}

static void *setter(void *arg)
{
	pthread_mutex_lock(&lock);
	data = 1; // RACE!
	ready = 1; // RACE!
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&lock);
	extra = 2; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, setter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
