/* What a thread returns is used by who has joined it, while another thread still uses the same. */
// verdict: potential
#include <pthread.h>
#include <stdlib.h>

struct total {
	int sum;
};

static int spare;

static void *first(void *arg)
{
	(void)arg;
	return &spare;
}

static void *second(void *arg)
{
	spare = 1; // RACE!
	return arg;
}

static void *keep(void *arg)
{
	struct total *total = arg;

	total->sum = 1; // RACE!
	return NULL;
}

static void *make(void *arg)
{
	struct total *total = calloc(1, sizeof(*total));
	pthread_t other;

	if (total && !pthread_create(&other, NULL, keep, total))
		pthread_detach(other);
	pthread_exit(total);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;
	void *result = NULL;

	pthread_create(&b, NULL, second, NULL);
	if (!pthread_create(&a, NULL, first, NULL)) {
		pthread_join(a, &result);
		if (result)
			*(int *)result = 2; // RACE!
	}
	if (!pthread_create(&c, NULL, make, NULL)) {
		pthread_join(c, &result);
		if (result)
			((struct total *)result)->sum = 2; // RACE!
	}
	return 0;
}
