/* The first reader locks writers out, the last one lets them in: made of two mutexes. */
#include <pthread.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t resource = PTHREAD_MUTEX_INITIALIZER;
static int readers, data;

static void *reader(void *arg)
{
	int *out = arg;

	pthread_mutex_lock(&count_lock);
	if (++readers == 1) // NORACE
		pthread_mutex_lock(&resource);
	pthread_mutex_unlock(&count_lock);
	*out = data; // RACE: one reader holds the lock for all
	pthread_mutex_lock(&count_lock);
	if (--readers == 0) // NORACE
		pthread_mutex_unlock(&resource);
	pthread_mutex_unlock(&count_lock);
	return NULL;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&resource);
	data++; // RACE: one reader holds the lock for all
	pthread_mutex_unlock(&resource);
	return arg;
}

int main(void)
{
	pthread_t r, s, w;
	int x, y;

	pthread_create(&r, NULL, reader, &x);
	pthread_create(&s, NULL, reader, &y);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(s, NULL);
	pthread_join(w, NULL);
	return x + y; // NORACE
}
