/* A static local variable is one for all threads. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int next_id(void)
{
	static int last;

	return ++last; // RACE!
}

static int next_id_locked(void)
{
	static int last;
	int id;

	pthread_mutex_lock(&lock);
	id = ++last; // NORACE
	pthread_mutex_unlock(&lock);
	return id;
}

static void *worker(void *arg)
{
	int *out = arg;

	*out = next_id() + next_id_locked(); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int a, b;

	pthread_create(&t, NULL, worker, &a);
	pthread_create(&u, NULL, worker, &b);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return a + b;
}
