/* A mutex in a heap object, initialized before any thread knows it. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long amount;
	long peeked;
};

static struct account *account;

static void *worker(void *arg)
{
	pthread_mutex_lock(&account->lock);
	account->amount++; // NORACE
	pthread_mutex_unlock(&account->lock);
	account->peeked = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	account = calloc(1, sizeof(*account)); // NORACE
	if (!account)
		return 1;
	pthread_mutex_init(&account->lock, NULL); // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_destroy(&account->lock); // NORACE
	free(account); // NORACE
	return 0;
}
