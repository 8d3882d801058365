/* The builtins of the compilers. */
#include <pthread.h>

static int a, b, c, d, e;
static char lock;
static int guarded;

static void *worker(void *arg)
{
	__sync_fetch_and_add(&a, 1); // NORACE
	__sync_bool_compare_and_swap(&b, 0, 1); // NORACE
	__atomic_add_fetch(&c, 1, __ATOMIC_RELAXED); // NORACE
	int old = __atomic_exchange_n(&d, 2, __ATOMIC_ACQ_REL); // NORACE
	__atomic_store_n(&e, old, __ATOMIC_RELAXED); // NORACE
	old = __atomic_load_n(&e, __ATOMIC_RELAXED); // NORACE
	__sync_synchronize();
	while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) // NORACE
		;
	guarded += old; // NORACE
	__atomic_clear(&lock, __ATOMIC_RELEASE); // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return 0;
}
