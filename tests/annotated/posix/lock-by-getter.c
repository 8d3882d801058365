/* The lock comes from a function, or by a pointer that is chosen. */
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static pthread_mutex_t *lock_of_a(void)
{
	return &one;
}

static void *worker(void *arg)
{
	int *which = arg;
	pthread_mutex_t *m = *which ? &one : &two;

	pthread_mutex_lock(lock_of_a());
	a++; // NORACE
	pthread_mutex_unlock(lock_of_a());
	pthread_mutex_lock(m);
	b++; // RACE!
	pthread_mutex_unlock(m);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int zero = 0, first = 1;

	pthread_create(&t, NULL, worker, &zero);
	pthread_create(&u, NULL, worker, &first);
	pthread_mutex_lock(&one);
	a++; // NORACE
	b++; // RACE!
	pthread_mutex_unlock(&one);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
