/* What runs before main is code of the program, too: it may make threads. */
#include <pthread.h>

static int count;

static void *run(void *arg)
{
	count++; // RACE!
	return arg;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
}

int main(void)
{
	count = 1; // RACE!
	return 0;
}
