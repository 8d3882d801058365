/* Data is published with an atomic flag; once with an order that does not suffice. */
#include <pthread.h>
#include <stdatomic.h>

static int data, relaxed_data;
static atomic_int ready, relaxed_ready;

static void *producer(void *arg)
{
	data = 42; // RACE: what atomics order is not known
	atomic_store_explicit(&ready, 1, memory_order_release); // NORACE
	relaxed_data = 43; // RACE!
	atomic_store_explicit(&relaxed_ready, 1, memory_order_relaxed); // NORACE
	return arg;
}

static void *consumer(void *arg)
{
	int *out = arg;

	while (!atomic_load_explicit(&ready, memory_order_acquire)) // NORACE
		;
	*out = data; // RACE: what atomics order is not known
	while (!atomic_load_explicit(&relaxed_ready, memory_order_relaxed)) // NORACE
		;
	*out += relaxed_data; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t p, c;
	int out;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, &out);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return out; // NORACE
}
