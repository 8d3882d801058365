/* The address of a thread's own variable goes to another thread. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int own;
static int *published;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	*(int *)arg = 1; // RACE!
	own = 5; // RACE: whose variable the pointer leads to is not known
	return NULL;
}

static void *reader(void *arg)
{
	pthread_mutex_lock(&lock);
	int *p = published; // NORACE
	pthread_mutex_unlock(&lock);
	if (p)
		*p = 3; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, worker, &own);
	pthread_create(&u, NULL, reader, NULL);
	pthread_mutex_lock(&lock);
	published = &own; // NORACE
	pthread_mutex_unlock(&lock);
	own = 2; // RACE!
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d\n", own); // NORACE
	return 0;
}
