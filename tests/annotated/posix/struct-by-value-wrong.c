/* Who passes a struct reads all of it; what the callee does to it, he does to a copy. */
// verdict: potential
#include <pthread.h>

struct large {
	long values[5];
};
static struct large given, kept;

static long total(struct large mine) // RACE!
{
	mine.values[1] = 0; // NORACE
	return mine.values[0]; // NORACE
}

static long first(struct large mine) // NORACE
{
	mine.values[1] = 0; // NORACE
	return mine.values[0]; // NORACE
}

static void *worker(void *argument)
{
	return (void *)(total(given) + first(kept));
}

int main(void)
{
	pthread_t a, b;

	kept.values[0] = 1; // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	given.values[4] = 2; // RACE!
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
