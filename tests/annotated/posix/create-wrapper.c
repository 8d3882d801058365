/* Threads are started by a helper. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int a, b;

static pthread_t start_thread(void *(*fn)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, fn, arg) != 0)
		exit(1);
	return t;
}

static void *one(void *arg)
{
	*(int *)arg = 1; // NORACE
	return NULL;
}

static void *two(void *arg)
{
	*(int *)arg = 1; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t = start_thread(one, &a);
	pthread_t u = start_thread(two, &b);

	b = 2; // RACE!
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d %d\n", a, b); // NORACE
	return 0;
}
