/* Atomic accesses of any order do not race with each other. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;
static _Atomic long total;
static atomic_flag flag = ATOMIC_FLAG_INIT;

static void *worker(void *arg)
{
	atomic_fetch_add(&hits, 1); // NORACE
	atomic_fetch_add_explicit(&total, 2, memory_order_relaxed); // NORACE
	hits++; // NORACE
	total = 3; // NORACE
	if (atomic_load_explicit(&hits, memory_order_relaxed) > 3) // NORACE
		atomic_store(&total, 0); // NORACE
	int expected = 1;
	atomic_compare_exchange_strong(&hits, &expected, 2); // NORACE
	while (atomic_flag_test_and_set(&flag)) // NORACE
		;
	atomic_flag_clear(&flag); // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return hits; // NORACE
}
