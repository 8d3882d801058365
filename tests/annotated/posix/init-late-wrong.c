/* What the thread needs is set after it was made. */
#include <pthread.h>
#include <stdlib.h>

static int *table;
static int size;

static void *worker(void *arg)
{
	for (int i = 0; i < size; i++) // RACE!
		table[i] = i; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	table = calloc(16, sizeof(int)); // RACE!
	size = 16; // RACE!
	pthread_join(t, NULL);
	free(table); // NORACE
	return 0;
}
