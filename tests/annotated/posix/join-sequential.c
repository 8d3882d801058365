/* One after the other: the second begins when the first is over. The third does not wait. */
#include <pthread.h>

static int a, b;

static void *one(void *arg)
{
	a = 1; // NORACE
	return arg;
}

static void *two(void *arg)
{
	a = 2; // NORACE
	b = 2; // RACE!
	return arg;
}

static void *three(void *arg)
{
	b = 3; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, two, NULL);
	pthread_create(&u, NULL, three, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
