/* What snprintf copies from is written by another thread. */
#include <pthread.h>
#include <stdio.h>

static char source[16] = "start";

static void *writer(void *arg)
{
	source[0] = 'S'; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;
	char mine[32];

	pthread_create(&t, NULL, writer, NULL);
	snprintf(mine, sizeof(mine), "<%s>", source); // RACE!
	pthread_join(t, NULL);
	puts(mine);
	return 0;
}
