/* More rounds than are told apart: each thread has an element, and main reads one too early. */
#include <pthread.h>
#include <stdio.h>

#define N 64

static int slot[N];
static int other[N];
static int total;

static void *worker(void *arg)
{
	int *mine = arg;

	*mine = 1; // RACE!
	total++; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, &slot[i]);
	printf("%d\n", slot[0]); // RACE!
	printf("%d\n", other[0]); // NORACE
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
