/* Main ends as a thread; the others go on, and each other's data race. */
#include <pthread.h>

static int before, shared;

static void *one(void *arg)
{
	shared = before; // RACE!
	return arg;
}

static void *two(void *arg)
{
	shared = 2; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	before = 3; // NORACE
	pthread_create(&t, NULL, one, NULL);
	pthread_detach(t);
	pthread_create(&t, NULL, two, NULL);
	pthread_detach(t);
	pthread_exit(NULL);
}
