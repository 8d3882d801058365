/* A helper that makes a thread is called twice; the second call overwrites the handle. */
#include <pthread.h>
#include <stdio.h>

static pthread_t handle;
static int hits;

static void *worker(void *arg)
{
	hits++; // RACE!
	return arg;
}

static void start(void)
{
	pthread_create(&handle, NULL, worker, NULL);
}

int main(void)
{
	start();
	start();
	pthread_join(handle, NULL);
	printf("%d\n", hits); // RACE!
	return 0;
}
