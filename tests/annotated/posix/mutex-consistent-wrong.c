/* Saying that what a lock protects is consistent takes no lock. */
// verdict: potential
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *repair(void *arg)
{
	pthread_mutex_consistent(&lock);
	count = 0; // RACE!
	return arg;
}

static void *bump(void *arg)
{
	pthread_mutex_lock(&lock);
	count++; // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, repair, NULL);
	pthread_create(&b, NULL, bump, NULL);
	return 0;
}
