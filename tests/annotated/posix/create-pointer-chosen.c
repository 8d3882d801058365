/* Which function runs depends on the arguments of the program. */
#include <pthread.h>

static int a, b;

static void *one(void *arg)
{
	a = 1; // RACE!
	return arg;
}

static void *two(void *arg)
{
	b = 1; // RACE!
	return arg;
}

int main(int argc, char **argv)
{
	void *(*fn)(void *) = argc > 1 ? one : two;
	pthread_t t;

	(void)argv;
	pthread_create(&t, NULL, fn, NULL);
	a = 2; // RACE!
	b = 2; // RACE!
	pthread_join(t, NULL);
	return a + b; // NORACE
}
