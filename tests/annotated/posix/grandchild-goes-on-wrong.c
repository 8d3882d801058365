/* Who waits for a thread does not wait for those that the thread has made. */
#include <pthread.h>

static int early, late;

static void *grandchild(void *arg)
{
	early++; // NORACE
	late++; // RACE!
	return arg;
}

static void *child(void *arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, grandchild, NULL);
	return arg;
}

int main(void)
{
	pthread_t thread;

	early = 1; // NORACE
	if (pthread_create(&thread, NULL, child, NULL))
		return 1;
	pthread_join(thread, NULL);
	late = 1; // RACE!
	return 0;
}
