/* More rounds than are told apart, each with an object from the heap; the last is kept. */
#include <pthread.h>
#include <stdlib.h>

#define N 64

static void *worker(void *arg)
{
	*(int *)arg = 1; // RACE!
	return NULL;
}

static void *same(void *arg)
{
	*(int *)arg = 2; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t;
	int *last = NULL, *one = malloc(sizeof(int));

	if (!one)
		return 1;
	for (int i = 0; i < N; i++) {
		int *p = malloc(sizeof(int));

		if (!p)
			return 1;
		pthread_create(&t, NULL, worker, p);
		pthread_detach(t);
		pthread_create(&t, NULL, same, one);
		pthread_detach(t);
		last = p;
	}
	*last = 3; // RACE!
	return 0;
}
