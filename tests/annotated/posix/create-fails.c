/* Whether the thread was made is tested: only then it is joined, and only then it can race. */
#include <pthread.h>
#include <stdio.h>

static int value, fallback;

static void *worker(void *arg)
{
	value = 1; // RACE!
	fallback = 1; // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;
	int rc = pthread_create(&t, NULL, worker, NULL);

	if (rc != 0) {
		fallback = 2; // NORACE
		return 1;
	}
	value = 2; // RACE!
	pthread_join(t, NULL);
	return value; // NORACE
}
