/* The lock is given back before the next is read. */
#include <pthread.h>
#include <stddef.h>

struct node {
	pthread_mutex_t lock;
	struct node *next;
	int value;
};

static struct node second = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };
static struct node first = { PTHREAD_MUTEX_INITIALIZER, &second, 0 };

static void *increment(void *arg)
{
	for (struct node *n = &first; n; n = n->next) { // RACE!
		pthread_mutex_lock(&n->lock);
		n->value++; // NORACE
		pthread_mutex_unlock(&n->lock);
	}
	return arg;
}

static void *cut(void *arg)
{
	pthread_mutex_lock(&first.lock);
	first.next = NULL; // RACE!
	pthread_mutex_unlock(&first.lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, increment, NULL);
	pthread_create(&b, NULL, cut, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
