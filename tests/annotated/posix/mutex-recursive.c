/* Taken twice by one thread, and given back once or twice. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock;
static int inner, outer, after;

static void nested(void)
{
	pthread_mutex_lock(&lock);
	inner++; // NORACE
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	nested();
	outer++; // RACE: the first unlock is taken to be the last
	pthread_mutex_unlock(&lock);
	after++; // RACE!
	return arg;
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t t;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return 0;
}
