/* The thread's result is a heap object that nobody else knows, or one that it still uses. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct result {
	int value;
};

static struct result shared;

static void *compute(void *arg)
{
	struct result *r = malloc(sizeof(*r));

	if (!r)
		pthread_exit(NULL);
	r->value = *(int *)arg; // NORACE
	pthread_exit(r);
}

static void *other(void *arg)
{
	shared.value = 1; // RACE!
	return &shared;
}

int main(void)
{
	pthread_t t, u;
	int input = 4;
	void *p;

	pthread_create(&t, NULL, compute, &input);
	pthread_create(&u, NULL, other, NULL);
	pthread_join(t, &p);
	if (p) {
		printf("%d\n", ((struct result *)p)->value); // RACE: which thread's result it is, is not followed
		free(p); // NORACE
	}
	shared.value = 2; // RACE!
	pthread_join(u, &p);
	((struct result *)p)->value++; // NORACE
	return 0;
}
