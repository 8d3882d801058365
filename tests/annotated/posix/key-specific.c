/* Data of each thread behind a key; the destructor counts. */
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int freed;

static void destroy(void *p)
{
	freed++; // RACE!
	free(p); // RACE: whose object a destructor gets is not known
}

static void *worker(void *arg)
{
	int *mine = malloc(sizeof(*mine));

	if (!mine)
		return NULL;
	*mine = 1; // NORACE
	pthread_setspecific(key, mine); // NORACE
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, destroy); // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
