/* A thread makes threads and waits for them. */
#include <pthread.h>
#include <stdio.h>

static int leaf_value, parent_value, all;

static void *leaf(void *arg)
{
	leaf_value = 1; // NORACE
	all++; // RACE!
	return arg;
}

static void *parent(void *arg)
{
	pthread_t t;

	parent_value = 1; // NORACE
	pthread_create(&t, NULL, leaf, NULL);
	all++; // RACE!
	pthread_join(t, NULL);
	leaf_value++; // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, parent, NULL);
	pthread_join(t, NULL);
	printf("%d\n", parent_value); // NORACE
	return 0;
}
