/* The thread waits for the one it made only sometimes. */
#include <pthread.h>
#include <stdio.h>

static int value;

static void *grandchild(void *arg)
{
	value = 1; // RACE!
	return arg;
}

static void *child(void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, grandchild, NULL) != 0)
		return NULL;
	if (*(int *)arg > 1)
		pthread_join(t, NULL);
	else
		pthread_detach(t);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	pthread_create(&t, NULL, child, &argc);
	pthread_join(t, NULL);
	printf("%d\n", value); // RACE!
	return 0;
}
