/* All threads put the same object behind the key. */
#include <pthread.h>

static pthread_key_t key;
static int object;

static void *worker(void *arg)
{
	pthread_setspecific(key, &object);
	int *p = pthread_getspecific(key);
	(*p)++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
