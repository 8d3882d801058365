/* Each thread has its own; the initializer is of each. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int depth;
static __thread char buffer[16];
static int plain;

static void *worker(void *arg)
{
	depth++; // NORACE
	buffer[0] = 'x'; // NORACE
	plain++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	depth++; // NORACE
	buffer[0] = 'y'; // NORACE
	plain++; // RACE!
	pthread_join(t, NULL);
	printf("%d %c\n", depth, buffer[0]); // NORACE
	return 0;
}
