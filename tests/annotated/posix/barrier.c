/* Each thread writes its half, and reads the other's half after all have come. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int left, right, sum[2];

static void *first(void *arg)
{
	left = 1; // RACE: what a barrier orders is not known
	pthread_barrier_wait(&barrier);
	sum[0] = left + right; // RACE: what a barrier orders is not known
	return arg;
}

static void *second(void *arg)
{
	right = 2; // RACE: what a barrier orders is not known
	pthread_barrier_wait(&barrier);
	sum[1] = left + right; // RACE: what a barrier orders is not known
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
	pthread_barrier_destroy(&barrier);
	return 0;
}
