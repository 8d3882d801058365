/* The same where the handle is a global variable. */
#include <pthread.h>
#include <stdio.h>

static pthread_t t;
static int first, second;

static void *one(void *arg)
{
	first = 1; // RACE!
	return arg;
}

static void *two(void *arg)
{
	second = 1; // NORACE
	return arg;
}

int main(void)
{
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&t, NULL, two, NULL);
	pthread_join(t, NULL);
	printf("%d\n", first); // RACE!
	printf("%d\n", second); // NORACE
	return 0;
}
