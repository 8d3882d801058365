/* The argument is a number, not an address. */
#include <pthread.h>
#include <stdio.h>

static long result[4];
static long shifted[5];

static void *worker(void *arg)
{
	long id = (long)arg;

	result[id] = id * id; // NORACE
	shifted[id] = 1; // RACE!
	shifted[id + 1] = 2; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", result[1]); // NORACE
	return 0;
}
