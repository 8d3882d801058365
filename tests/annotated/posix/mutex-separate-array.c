/* Locks and data lie in two arrays; the index is the same, or not. */
#include <pthread.h>

static pthread_mutex_t lock[4] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static int right[4], wrong[4];

static void touch(int i)
{
	pthread_mutex_lock(&lock[i]);
	right[i]++; // NORACE
	pthread_mutex_unlock(&lock[i]);
}

static void *worker(void *arg)
{
	int i = *(int *)arg & 3; // NORACE

	touch(i);
	pthread_mutex_lock(&lock[i]);
	wrong[i ^ 1]++; // RACE!
	pthread_mutex_unlock(&lock[i]);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int one = 1, two = 2;

	pthread_create(&a, NULL, worker, &one);
	pthread_create(&b, NULL, worker, &two);
	pthread_mutex_lock(&lock[0]);
	wrong[0]++; // RACE!
	pthread_mutex_unlock(&lock[0]);
	touch(0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
