/* Each way out gives the lock back, by a goto; one way goes on after that. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state, good, bad;

static int step(int n)
{
	int rc = -1;

	pthread_mutex_lock(&lock);
	if (n < 0)
		goto out;
	state = n; // NORACE
	if (n == 7) {
		pthread_mutex_unlock(&lock);
		bad++; // RACE!
		return 0;
	}
	good++; // NORACE
	rc = 0;
out:
	pthread_mutex_unlock(&lock);
	return rc;
}

static void *worker(void *arg)
{
	step(*(int *)arg);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int n = 3;

	if (scanf("%d", &n) != 1)
		return 1;
	pthread_create(&t, NULL, worker, &n);
	step(n);
	pthread_join(t, NULL);
	return 0;
}
