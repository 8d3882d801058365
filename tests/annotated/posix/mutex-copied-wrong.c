/* Each thread works with a copy of the struct, lock included: the locks are two. */
#include <pthread.h>

struct guard {
	pthread_mutex_t lock;
	int *counter;
};

static int counter;

static void *worker(void *arg)
{
	struct guard mine = *(struct guard *)arg; // NORACE

	pthread_mutex_lock(&mine.lock);
	(*mine.counter)++; // RACE!
	pthread_mutex_unlock(&mine.lock);
	return NULL;
}

int main(void)
{
	struct guard g = { PTHREAD_MUTEX_INITIALIZER, &counter };
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &g);
	pthread_create(&b, NULL, worker, &g);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
