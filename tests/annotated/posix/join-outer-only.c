/* Who is joined has made a thread that nobody has waited for. */
#include <pthread.h>
#include <stdio.h>

static int mine, its;

static void *grandchild(void *arg)
{
	its = 1; // RACE!
	return arg;
}

static void *child(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, grandchild, NULL);
	pthread_detach(t);
	mine = 1; // NORACE
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, child, NULL);
	pthread_join(t, NULL);
	printf("%d\n", mine); // NORACE
	printf("%d\n", its); // RACE!
	return 0;
}
