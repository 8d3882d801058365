/* Two numbers lead to one element. */
#include <pthread.h>

static struct {
	long sum;
	int rounds;
} result[8];

static void *worker(void *arg)
{
	long id = (long)arg / 2;

	for (int i = 0; i < 100; i++)
		result[id].sum += i; // RACE!
	result[id].rounds++; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t[8];

	for (long i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return result[1].sum; // NORACE
}
