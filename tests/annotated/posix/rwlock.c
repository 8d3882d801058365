/* Readers side by side, writers alone. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, copy_;

static void *reader(void *arg)
{
	int *out = arg;

	pthread_rwlock_rdlock(&lock);
	*out = value; // NORACE
	pthread_rwlock_unlock(&lock);
	if (pthread_rwlock_tryrdlock(&lock) == 0) {
		*out += value; // NORACE
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++; // NORACE
	copy_ = value; // NORACE
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t r1, r2, w1, w2;
	int a, b;

	pthread_create(&r1, NULL, reader, &a);
	pthread_create(&r2, NULL, reader, &b);
	pthread_create(&w1, NULL, writer, NULL);
	pthread_create(&w2, NULL, writer, NULL);
	pthread_join(r1, NULL);
	pthread_join(r2, NULL);
	pthread_join(w1, NULL);
	pthread_join(w2, NULL);
	return a + b;
}
