/* Each fork has a lock; who eats has two of them. */
#include <pthread.h>

#define N 5

static pthread_mutex_t lock[N];
static int fork_used[N];
static int meals;

static void *philosopher(void *arg)
{
	int id = *(int *)arg;
	int left = id % N, right = (id + 1) % N;
	int first = left < right ? left : right, second = left < right ? right : left;

	pthread_mutex_lock(&lock[first]);
	pthread_mutex_lock(&lock[second]);
	fork_used[left]++; // NORACE
	fork_used[right]++; // NORACE
	meals++; // RACE!
	pthread_mutex_unlock(&lock[second]);
	pthread_mutex_unlock(&lock[first]);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	int id[N];

	for (int i = 0; i < N; i++) {
		id[i] = i;
		pthread_mutex_init(&lock[i], NULL);
	}
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, philosopher, &id[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return meals; // NORACE
}
