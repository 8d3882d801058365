/* What runs at the end runs beside threads that nobody has waited for. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int lines;

static void report(void)
{
	printf("%d\n", lines); // RACE!
}

static void *worker(void *arg)
{
	lines++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	atexit(report);
	pthread_create(&t, NULL, worker, NULL);
	pthread_detach(t);
	return 0;
}
