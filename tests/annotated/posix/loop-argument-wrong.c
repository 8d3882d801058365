/* The classic: all threads get the address of the loop's variable, which main goes on to change. */
#include <pthread.h>
#include <stdio.h>

static int result[4];

static void *worker(void *arg)
{
	int id = *(int *)arg; // RACE!

	result[id & 3] = id * id; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++) // RACE!
		pthread_create(&t[i], NULL, worker, &i);
	for (int k = 0; k < 4; k++)
		pthread_join(t[k], NULL);
	printf("%d\n", result[0]); // RACE: the rounds are not known where others see the variable
	return 0;
}
