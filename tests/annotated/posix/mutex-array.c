/* One lock for each element. */
#include <pthread.h>

#define N 8

static struct slot {
	pthread_mutex_t lock;
	int value;
	int other;
} slots[N];

static void *worker(void *arg)
{
	for (int i = 0; i < N; i++) {
		struct slot *s = &slots[i];

		pthread_mutex_lock(&s->lock);
		s->value++; // NORACE
		pthread_mutex_unlock(&s->lock);
		pthread_mutex_lock(&slots[(i + 1) % N].lock);
		s->other++; // RACE!
		pthread_mutex_unlock(&slots[(i + 1) % N].lock);
	}
	return arg;
}

static void *swapper(void *arg)
{
	pthread_mutex_lock(&slots[2].lock);
	slots[2].value = 0; // NORACE
	slots[2].other = 0; // RACE!
	pthread_mutex_unlock(&slots[2].lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&slots[i].lock, NULL); // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, swapper, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
