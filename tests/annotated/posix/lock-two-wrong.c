/* Each side holds a lock, but not the same; or gives it back too early. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int value, last, both;

static void *one(void *arg)
{
	pthread_mutex_lock(&left);
	value++; // RACE!
	pthread_mutex_lock(&right);
	both++; // NORACE
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	last = 1; // RACE!
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&right);
	value++; // RACE!
	both++; // NORACE
	last = 2; // RACE!
	pthread_mutex_unlock(&right);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
