/* The other's half is read before the barrier. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int left, right;

static void *first(void *arg)
{
	left = 1; // RACE!
	if (right) // RACE!
		left = 2; // RACE!
	pthread_barrier_wait(&barrier);
	return arg;
}

static void *second(void *arg)
{
	right = 2; // RACE!
	if (left) // RACE!
		right = 3; // RACE!
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
