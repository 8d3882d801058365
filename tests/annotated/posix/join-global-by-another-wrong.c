/* A thread puts its own handle where main looks for the one that it joins. */
#include <pthread.h>
#include <stdio.h>

static pthread_t current;
static int count;

static void *other(void *arg)
{
	return arg;
}

static void *worker(void *arg)
{
	pthread_create(&current, NULL, other, NULL); // RACE!
	count = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_create(&current, NULL, worker, NULL); // RACE!
	pthread_join(current, NULL); // RACE!
	printf("%d\n", count); // RACE!
	return 0;
}
