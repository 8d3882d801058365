/* What has grown has what it had before: a pointer to what others use. The lock is forgotten. */
// verdict: potential
#include <pthread.h>
#include <stdlib.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *grow(void *arg)
{
	int **places = malloc(sizeof(*places)), **more;

	if (!places)
		return NULL;
	places[0] = &count;
	more = realloc(places, 2 * sizeof(*places));
	if (!more)
		return NULL;
	*more[0] = 1; // RACE!
	free(more);
	return arg;
}

static void *bump(void *arg)
{
	pthread_mutex_lock(&lock);
	count++; // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, grow, NULL);
	pthread_create(&b, NULL, bump, NULL);
	pthread_exit(NULL);
}
