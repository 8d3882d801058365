/* The object is freed, and moved, while another thread uses it. */
#include <pthread.h>
#include <stdlib.h>

static int *numbers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg)
{
	int *mine;

	pthread_mutex_lock(&lock);
	mine = numbers; // NORACE
	pthread_mutex_unlock(&lock);
	if (mine)
		mine[0]++; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;

	numbers = calloc(4, sizeof(int)); // NORACE
	pthread_create(&t, NULL, user, NULL);
	pthread_mutex_lock(&lock);
	numbers = realloc(numbers, 8 * sizeof(int)); // RACE!
	pthread_mutex_unlock(&lock);
	free(numbers); // RACE!
	pthread_join(t, NULL);
	return 0;
}
