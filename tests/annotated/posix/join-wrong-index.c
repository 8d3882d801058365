/* The join loop begins at one; the first thread is never waited for. */
#include <pthread.h>
#include <stdio.h>

static int cell[3];

static void *worker(void *arg)
{
	*(int *)arg = 1; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, &cell[i]);
	for (int i = 1; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", cell[0]); // RACE!
	printf("%d\n", cell[2]); // NORACE
	return 0;
}
