/* Each thread works on every fourth element, beginning with its own. */
#include <pthread.h>

#define THREADS 4

static long data[64];

static void *worker(void *arg)
{
	for (long i = (long)arg; i < 64; i += THREADS)
		data[i]++; // RACE: what numbers a loop variable runs through is not known
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return data[5]; // NORACE
}
