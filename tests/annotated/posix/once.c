/* Initialized by whoever comes first, read by all; one reader does not ask. */
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table[8];
static int flag;

static void init(void)
{
	for (int i = 0; i < 8; i++)
		table[i] = i; // NORACE
	flag = 1; // RACE!
}

static void *worker(void *arg)
{
	int sum = 0;

	pthread_once(&control, init);
	for (int i = 0; i < 8; i++)
		sum += table[i]; // NORACE
	return sum ? arg : NULL;
}

static void *hasty(void *arg)
{
	return flag ? arg : NULL; // RACE!
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_create(&c, NULL, hasty, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
