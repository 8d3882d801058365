/* Who has the lock says that what it protects is consistent. */
// verdict: race-free
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *repair(void *arg)
{
	pthread_mutex_lock(&lock);
	count = 0; // NORACE
	pthread_mutex_consistent(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, repair, NULL);
	pthread_create(&b, NULL, repair, NULL);
	return 0;
}
