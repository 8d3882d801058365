/* The join loop's bound is smaller than the create loop's. */
#include <pthread.h>
#include <stdio.h>

static int cell[4];

static void *worker(void *arg)
{
	*(int *)arg = 1; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int n = 4;

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, &cell[i]);
	n = 3;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", cell[0]); // NORACE
	printf("%d\n", cell[3]); // RACE!
	return 0;
}
