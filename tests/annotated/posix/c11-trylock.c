/* mtx_trylock says whether it has the lock; so does mtx_timedlock. */
#include <threads.h>
#include <time.h>

static mtx_t lock;
static int good, timed, bad;

static int worker(void *arg)
{
	struct timespec until;

	if (mtx_trylock(&lock) == thrd_success) {
		good++; // NORACE
		mtx_unlock(&lock);
	}
	timespec_get(&until, TIME_UTC);
	if (mtx_timedlock(&lock, &until) == thrd_success) {
		timed++; // NORACE
		mtx_unlock(&lock);
	}
	if (mtx_trylock(&lock) == thrd_busy)
		bad++; // RACE!
	else
		mtx_unlock(&lock);
	return arg != NULL;
}

int main(void)
{
	thrd_t t;

	mtx_init(&lock, mtx_timed);
	thrd_create(&t, worker, NULL);
	worker(NULL);
	thrd_join(t, NULL);
	return 0;
}
