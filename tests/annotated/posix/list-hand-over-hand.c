/* Each node has a lock; the next is taken before this one is given back. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	pthread_mutex_t lock;
	struct node *next;
	int value;
};

static struct node first = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };

static void *increment(void *arg)
{
	struct node *n = &first;

	pthread_mutex_lock(&n->lock);
	while (n) {
		struct node *next = n->next; // RACE: a lock that is held on from the round before is not known

		n->value++; // RACE: a lock that is held on from the round before is not known
		if (next)
			pthread_mutex_lock(&next->lock);
		pthread_mutex_unlock(&n->lock);
		n = next;
	}
	return arg;
}

static void *append(void *arg)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		return arg;
	pthread_mutex_init(&n->lock, NULL);
	n->value = 1; // NORACE
	pthread_mutex_lock(&first.lock);
	n->next = first.next; // NORACE
	first.next = n; // RACE: a lock that is held on from the round before is not known
	pthread_mutex_unlock(&first.lock);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, increment, NULL);
	pthread_create(&b, NULL, append, NULL);
	pthread_create(&c, NULL, increment, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
