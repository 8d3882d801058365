/* The first look at the pointer is without the lock. */
#include <pthread.h>
#include <stdlib.h>

struct object {
	int value;
};

static struct object *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *get(void)
{
	if (!instance) { // RACE!
		pthread_mutex_lock(&lock);
		if (!instance) { // NORACE
			struct object *o = malloc(sizeof(*o));

			if (o)
				o->value = 1;
			instance = o; // RACE!
		}
		pthread_mutex_unlock(&lock);
	}
	return instance; // RACE!
}

static void *worker(void *arg)
{
	struct object *o = get();

	return o ? arg : NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	get();
	pthread_join(t, NULL);
	return 0;
}
