/* Only one way takes the lock. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, matched;

static void *worker(void *arg)
{
	int *mode = arg;
	int locked = 0;

	if (*mode & 1)
		pthread_mutex_lock(&lock);
	value++; // RACE!
	if (*mode & 1)
		pthread_mutex_unlock(&lock);

	if (!(*mode & 2)) {
		pthread_mutex_lock(&lock);
		locked = 1;
	}
	if (locked)
		matched++; // NORACE
	if (locked)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	int mode = argc;

	(void)argv;
	pthread_create(&a, NULL, worker, &mode);
	pthread_create(&b, NULL, worker, &mode);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
