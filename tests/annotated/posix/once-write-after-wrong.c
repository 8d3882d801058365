/* Once only orders the initialization: what is written afterwards needs a lock. */
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int counter;

static void init(void)
{
	counter = 100; // NORACE
}

static void *worker(void *arg)
{
	pthread_once(&control, init);
	counter++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
