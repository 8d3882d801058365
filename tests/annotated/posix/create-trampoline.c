/* A thread runs what a heap object says. */
#include <pthread.h>
#include <stdlib.h>

struct start {
	void (*fn)(int *);
	int *arg;
};

static int x, y;

static void add(int *p)
{
	*p += 1; // RACE!
}

static void sub(int *p)
{
	*p -= 1; // RACE!
}

static void *trampoline(void *arg)
{
	struct start s = *(struct start *)arg; // RACE: what functions from memory get may be anything

	free(arg); // RACE: what functions from memory get may be anything
	s.fn(s.arg); // RACE: what functions from memory get may be anything
	return NULL;
}

static pthread_t run(void (*fn)(int *), int *arg)
{
	struct start *s = malloc(sizeof(*s));
	pthread_t t;

	if (!s)
		abort();
	s->fn = fn;
	s->arg = arg;
	pthread_create(&t, NULL, trampoline, s);
	return t;
}

int main(void)
{
	pthread_t t = run(add, &x);
	pthread_t u = run(sub, &x);

	y = 1; // NORACE
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return x + y;
}
