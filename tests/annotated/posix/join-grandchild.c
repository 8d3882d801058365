/* A thread waits for the one it made: who waits for the first has waited for both. */
#include <pthread.h>
#include <stdio.h>

static int value;

static void *grandchild(void *arg)
{
	value = 1; // RACE: what a thread that is over has waited for is not known
	return arg;
}

static void *child(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, grandchild, NULL);
	pthread_join(t, NULL);
	value++; // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, child, NULL);
	pthread_join(t, NULL);
	printf("%d\n", value); // RACE: what a thread that is over has waited for is not known
	return 0;
}
