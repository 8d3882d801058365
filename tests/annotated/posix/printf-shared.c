/* A value is read to be printed; a text is read by printf itself. */
#include <pthread.h>
#include <stdio.h>

static int value;
static char text[16] = "start";

static void *writer(void *arg)
{
	value = 1; // RACE!
	text[0] = 'S'; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	printf("%d\n", value); // RACE!
	printf("%s\n", text); // RACE!
	pthread_join(t, NULL);
	return 0;
}
