/* A thread puts another thread's handle where main looks for the one that it joins. */
#include <pthread.h>
#include <stdio.h>

static pthread_t current;
static int data, helped;

static void *helper(void *arg)
{
	helped = 1; // RACE!
	return arg;
}

static void *worker(void *arg)
{
	pthread_create(&current, NULL, helper, NULL); // RACE!
	data = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_create(&current, NULL, worker, NULL); // RACE!
	pthread_join(current, NULL); // RACE!
	printf("%d\n", data); // RACE!
	printf("%d\n", helped); // RACE!
	return 0;
}
