/* The thread works on one of two objects, and nobody knows on which. */
#include <pthread.h>

struct job {
	int n;
};

static struct job first, second;

static void *worker(void *arg)
{
	struct job *job = arg;

	job->n++; // RACE!
	return NULL;
}

static void *other(void *arg)
{
	first.n = 1; // RACE!
	second.n = 2; // RACE!
	return arg;
}

int main(int argc, char **argv)
{
	struct job *job = argc > 1 ? &first : &second;
	pthread_t t, u;

	pthread_create(&t, NULL, worker, job);
	pthread_create(&u, NULL, other, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	first.n = 3; // NORACE
	return 0;
}
