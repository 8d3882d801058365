/* One local variable for two threads, with and without the lock. */
#include <pthread.h>

struct shared {
	pthread_mutex_t lock;
	int safe, unsafe;
};

static void *worker(void *arg)
{
	struct shared *s = arg;

	pthread_mutex_lock(&s->lock);
	s->safe++; // NORACE
	pthread_mutex_unlock(&s->lock);
	s->unsafe++; // RACE!
	return NULL;
}

int main(void)
{
	struct shared s = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &s);
	pthread_create(&b, NULL, worker, &s);
	pthread_mutex_lock(&s.lock);
	s.safe++; // NORACE
	pthread_mutex_unlock(&s.lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return s.safe + s.unsafe; // NORACE
}
