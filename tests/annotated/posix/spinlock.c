/* A spinlock, and the try. */
#include <pthread.h>

static pthread_spinlock_t lock;
static int held, tried, wrong;

static void *worker(void *arg)
{
	pthread_spin_lock(&lock);
	held++; // NORACE
	pthread_spin_unlock(&lock);
	if (pthread_spin_trylock(&lock) == 0) {
		tried++; // NORACE
		pthread_spin_unlock(&lock);
	}
	wrong++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	pthread_spin_destroy(&lock);
	return 0;
}
