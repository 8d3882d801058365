/* Locking with a time limit may fail. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int good, bad;

static void *worker(void *arg)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	if (pthread_mutex_timedlock(&lock, &until) != 0)
		return arg;
	good++; // NORACE
	pthread_mutex_unlock(&lock);

	int rc = pthread_mutex_timedlock(&lock, &until);
	bad++; // RACE!
	if (!rc)
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
