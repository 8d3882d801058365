/* One thread waits for another: what main waits for is the first only, and it is enough. */
#include <pthread.h>
#include <stdio.h>

static pthread_t inner;
static int data, late;

static void *producer(void *arg)
{
	data = 1; // RACE: the handle is read from a variable that all threads see
	late = 1; // RACE!
	return arg;
}

static void *collector(void *arg)
{
	pthread_join(inner, NULL);
	data++; // RACE: the handle is read from a variable that all threads see
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&inner, NULL, producer, NULL);
	pthread_create(&t, NULL, collector, NULL);
	late = 2; // RACE!
	pthread_join(t, NULL);
	printf("%d\n", data); // RACE: joined by a thread that was joined
	return 0;
}
