/* Each thread has its errno; rand has a lock; the seed of rand_r is the caller's. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned seed;
static int failures;

static void *worker(void *arg)
{
	unsigned mine = 1;

	errno = 0; // NORACE
	if (close(-1) < 0 && errno == EBADF) // NORACE
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED); // NORACE
	int n = rand() + rand_r(&mine); // NORACE
	n += rand_r(&seed); // RACE!
	return n ? arg : NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return 0;
}
