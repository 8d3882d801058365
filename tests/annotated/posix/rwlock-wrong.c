/* Written under the lock for reading; read after it was given back. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits, value;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	hits++; // RACE!
	pthread_rwlock_unlock(&lock);
	return value ? arg : NULL; // RACE!
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++; // RACE!
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t r1, r2, w;

	pthread_create(&r1, NULL, reader, NULL);
	pthread_create(&r2, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r1, NULL);
	pthread_join(r2, NULL);
	pthread_join(w, NULL);
	return 0;
}
