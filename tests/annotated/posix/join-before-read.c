/* Written by the thread, read by main after the join: and once before. */
#include <pthread.h>
#include <stdio.h>

static int result, early;

static void *worker(void *arg)
{
	result = 7; // NORACE
	early = 7; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	result = 1; // NORACE
	early = 1; // NORACE
	pthread_create(&t, NULL, worker, NULL);
	printf("%d\n", early); // RACE!
	pthread_join(t, NULL);
	printf("%d %d\n", result, early); // NORACE
	return 0;
}
