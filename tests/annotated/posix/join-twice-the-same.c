/* The first of two threads is joined through a copy of its handle; the second never is. */
#include <pthread.h>
#include <stdio.h>

static int left, right;

static void *first(void *arg)
{
	left = 1; // NORACE
	return arg;
}

static void *second(void *arg)
{
	right = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b, copy;

	pthread_create(&a, NULL, first, NULL);
	copy = a;
	pthread_create(&b, NULL, second, NULL);
	b = copy;
	pthread_join(b, NULL);
	printf("%d\n", left); // NORACE
	printf("%d\n", right); // RACE!
	return 0;
}
