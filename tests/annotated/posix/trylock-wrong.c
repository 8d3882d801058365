/* All shapes of getting it wrong. */
#include <pthread.h>
#include <errno.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b, c, d;

static void *worker(void *arg)
{
	if (pthread_mutex_trylock(&lock)) {
		a++; // RACE!
	} else {
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_trylock(&lock);
	b++; // RACE!
	pthread_mutex_unlock(&lock);
	if (pthread_mutex_trylock(&lock) == EBUSY)
		c++; // RACE!
	else
		pthread_mutex_unlock(&lock);
	int rc = pthread_mutex_trylock(&lock);
	d++; // RACE!
	if (rc == 0)
		pthread_mutex_unlock(&lock);
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
