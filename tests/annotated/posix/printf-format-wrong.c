/* A text that is the format is read, too; who writes elsewhere does not matter. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char message[32], other[32];
static char to[64];

static void *run(void *arg)
{
	strcpy(message, "done\n"); // RACE!
	strcpy(other, "done\n"); // NORACE
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		return 1;
	printf(message); // RACE!
	fprintf(stderr, message); // RACE!
	snprintf(to, sizeof(to), message); // RACE!
	sprintf(to, message); // RACE!
	pthread_join(thread, NULL);
	printf(other); // NORACE
	return 0;
}
