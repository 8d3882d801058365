/* Each round makes a thread and waits for it: never two at a time. */
#include <pthread.h>
#include <stdio.h>

static int total;

static void *worker(void *arg)
{
	total++; // NORACE
	return arg;
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		pthread_create(&t, NULL, worker, NULL);
		pthread_join(t, NULL);
		printf("%d\n", total); // NORACE
	}
	return 0;
}
