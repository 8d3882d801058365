/* One object is the argument of the next thread before the first has read it. */
#include <pthread.h>
#include <stdio.h>

struct args {
	int from, to;
	long sum;
};

static void *worker(void *p)
{
	struct args *a = p;

	for (int i = a->from; i < a->to; i++) // RACE!
		a->sum += i; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	struct args a = { 0, 10, 0 };

	pthread_create(&t, NULL, worker, &a);
	a.from = 10; // RACE!
	a.to = 20; // RACE!
	pthread_create(&u, NULL, worker, &a);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", a.sum); // NORACE
	return 0;
}
