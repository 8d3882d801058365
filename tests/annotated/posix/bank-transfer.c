/* Both accounts' locks, in the order of their numbers; one transfer forgets the second. */
#include <pthread.h>

static struct account {
	pthread_mutex_t lock;
	int id;
	long balance;
	long bonus;
} accounts[8];

static void transfer(int from, int to, long sum)
{
	struct account *a = &accounts[from], *b = &accounts[to];
	struct account *low = from < to ? a : b, *high = from < to ? b : a;

	if (from == to)
		return;
	pthread_mutex_lock(&low->lock);
	pthread_mutex_lock(&high->lock);
	a->balance -= sum; // NORACE
	b->balance += sum; // NORACE
	pthread_mutex_unlock(&high->lock);
	pthread_mutex_unlock(&low->lock);
}

static void careless(int from, int to)
{
	pthread_mutex_lock(&accounts[from].lock);
	accounts[from].bonus--; // RACE!
	accounts[to].bonus++; // RACE!
	pthread_mutex_unlock(&accounts[from].lock);
}

static void *worker(void *arg)
{
	int seed = *(int *)arg & 7;

	transfer(seed, (seed * 3) & 7, 10);
	careless(seed, (seed * 5) & 7);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int x = 1, y = 5;

	for (int i = 0; i < 8; i++)
		pthread_mutex_init(&accounts[i].lock, NULL);
	pthread_create(&a, NULL, worker, &x);
	pthread_create(&b, NULL, worker, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
