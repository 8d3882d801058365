/* Two threads make one more each: what one of them does first is beside the thread of the other. */
#include <pthread.h>

static int value, count;

static void *inner(void *arg)
{
	count++; // RACE!
	if (value) // RACE!
		return NULL;
	return arg;
}

static void *outer(void *arg)
{
	pthread_t t;

	value = 1; // RACE!
	pthread_create(&t, NULL, inner, NULL);
	pthread_join(t, NULL);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, outer, NULL);
	pthread_create(&u, NULL, outer, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
