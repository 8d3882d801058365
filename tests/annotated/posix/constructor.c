/* What runs before main makes a thread. */
#include <pthread.h>

static int early, value;

static void *worker(void *arg)
{
	value = 1; // RACE!
	early = 1; // RACE!
	return arg;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	early = 2; // RACE!
}

int main(void)
{
	value = 2; // RACE!
	return 0;
}
