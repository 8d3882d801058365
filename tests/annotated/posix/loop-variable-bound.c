/* As many threads as the user wants: their number is not known, and all of them count. */
#include <pthread.h>
#include <stdlib.h>

static int total;
static int guarded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	total++; // RACE!
	pthread_mutex_lock(&lock);
	guarded++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t *t = malloc(n * sizeof(*t));

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
	return 0;
}
