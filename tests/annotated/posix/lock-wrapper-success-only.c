/* A function that locks on success only is called through a pointer. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int good, bad;

static int try_enter(void)
{
	return pthread_mutex_trylock(&lock) == 0;
}

static int enter(void)
{
	pthread_mutex_lock(&lock);
	return 1;
}

static int (*const enters[])(void) = { try_enter, enter };

static void *worker(void *arg)
{
	int (*fn)(void) = enters[*(int *)arg & 1];

	if (fn()) {
		good++; // NORACE
		pthread_mutex_unlock(&lock);
	}
	if (!fn())
		bad++; // RACE!
	else
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int a = 0, b = 1;

	pthread_create(&t, NULL, worker, &a);
	pthread_create(&u, NULL, worker, &b);
	pthread_mutex_lock(&lock);
	bad++; // RACE!
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
