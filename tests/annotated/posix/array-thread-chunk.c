/* Each thread works on a chunk of its own. */
#include <pthread.h>

#define THREADS 4
#define CHUNK 16

static long data[THREADS * CHUNK];
static long table[THREADS][CHUNK];

static void *worker(void *arg)
{
	long id = (long)arg;

	for (int i = 0; i < CHUNK; i++) {
		data[id * CHUNK + i]++; // RACE: what numbers a loop variable runs through is not known
		table[id][i]++; // RACE: as above
	}
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
