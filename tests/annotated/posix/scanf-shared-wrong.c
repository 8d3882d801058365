/* Input goes into a variable that the thread reads. */
#include <pthread.h>
#include <stdio.h>

static int number, parsed;

static void *reader(void *arg)
{
	return number + parsed ? arg : NULL; // RACE!
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	if (scanf("%d", &number) != 1) // RACE!
		return 1;
	sscanf("12", "%d", &parsed); // RACE!
	pthread_join(t, NULL);
	return 0;
}
