/* The result of locking is tested; the way of the error uses the data all the same. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tested, ignored, careless;

static void *worker(void *arg)
{
	int rc = pthread_mutex_lock(&lock);

	if (rc) {
		fprintf(stderr, "lock: %d\n", rc);
		careless++; // RACE!
		return arg;
	}
	tested++; // NORACE
	careless++; // RACE!
	pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&lock);
	ignored++; // NORACE
	(void)pthread_mutex_unlock(&lock);
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
