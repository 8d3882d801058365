/* The lock is dropped between reading and writing; what was found is written under it, but the test is not. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached, seen;

static void *lookup(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	int have = cached; // NORACE
	pthread_rwlock_unlock(&lock);
	if (have) {
		seen++; // RACE!
		return arg;
	}
	pthread_rwlock_wrlock(&lock);
	cached = 1; // NORACE
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, lookup, NULL);
	pthread_create(&b, NULL, lookup, NULL);
	lookup(NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
