/* A result is handed over with a flag and a condition variable: read after the lock was given back. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static int inside, result;

static void *worker(void *arg)
{
	result = 42; // RACE: the flag orders, and no lock
	pthread_mutex_lock(&lock);
	inside = 1; // NORACE
	ready = 1; // NORACE
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_detach(t);
	pthread_mutex_lock(&lock);
	while (!ready) // NORACE
		pthread_cond_wait(&cond, &lock);
	printf("%d\n", inside); // NORACE
	pthread_mutex_unlock(&lock);
	printf("%d\n", result); // RACE: the flag orders, and no lock
	return 0;
}
