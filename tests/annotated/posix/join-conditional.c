/* Joined only if the user wants to wait. */
#include <pthread.h>
#include <stdio.h>

static int sum, always;

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++)
		sum += i; // RACE!
	return arg;
}

static void *other(void *arg)
{
	always = 1; // NORACE
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, other, NULL);
	if (argc > 1)
		pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d\n", sum); // RACE!
	printf("%d\n", always); // NORACE
	if (argc > 1)
		printf("%d\n", sum); // NORACE
	return 0;
}
