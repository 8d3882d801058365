/* All shapes of asking whether the lock was taken. */
#include <pthread.h>
#include <errno.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b, c, d, e, f;

static void *worker(void *arg)
{
	if (pthread_mutex_trylock(&lock) == 0) {
		a++; // NORACE
		pthread_mutex_unlock(&lock);
	}
	if (!pthread_mutex_trylock(&lock)) {
		b++; // NORACE
		pthread_mutex_unlock(&lock);
	}
	int rc = pthread_mutex_trylock(&lock);
	if (rc == EBUSY)
		return arg;
	if (rc != 0)
		return arg;
	c++; // NORACE
	pthread_mutex_unlock(&lock);
	while (pthread_mutex_trylock(&lock) != 0)
		;
	d++; // NORACE
	pthread_mutex_unlock(&lock);
	rc = pthread_mutex_trylock(&lock) ? 0 : 1;
	if (rc)
		e++; // NORACE
	if (rc)
		pthread_mutex_unlock(&lock);
	switch (pthread_mutex_trylock(&lock)) {
	case 0:
		f++; // NORACE
		pthread_mutex_unlock(&lock);
		break;
	default:
		break;
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return 0;
}
