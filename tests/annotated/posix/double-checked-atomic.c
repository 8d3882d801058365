/* The pointer is atomic: what it points to was written before it was stored. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	int value;
};

static struct object *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *get(void)
{
	struct object *o = atomic_load_explicit(&instance, memory_order_acquire); // NORACE

	if (o)
		return o;
	pthread_mutex_lock(&lock);
	o = atomic_load_explicit(&instance, memory_order_relaxed); // NORACE
	if (!o) {
		o = malloc(sizeof(*o));
		if (!o)
			abort();
		o->value = 1; // NORACE
		atomic_store_explicit(&instance, o, memory_order_release); // NORACE
	}
	pthread_mutex_unlock(&lock);
	return o;
}

static void *worker(void *arg)
{
	int *out = arg;

	*out = get()->value; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int mine, its;

	pthread_create(&t, NULL, worker, &its);
	mine = get()->value; // NORACE
	pthread_join(t, NULL);
	return mine + its;
}
