/* Each thread makes up to two more, to a depth; parents wait for their children. */
#include <pthread.h>
#include <stdio.h>

static int visits;
static int counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *node(void *arg)
{
	long depth = (long)arg;
	pthread_t left, right;

	visits++; // RACE!
	pthread_mutex_lock(&lock);
	counted++; // NORACE
	pthread_mutex_unlock(&lock);
	if (depth == 0)
		return NULL;
	pthread_create(&left, NULL, node, (void *)(depth - 1));
	pthread_create(&right, NULL, node, (void *)(depth - 1));
	pthread_join(left, NULL);
	pthread_join(right, NULL);
	return NULL;
}

int main(void)
{
	node((void *)2L);
	return 0;
}
