/* Who gives back the last reference does not acquire, so what others did with the object may come after he has freed it. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int users;
	int value;
};

static struct node *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(struct node *node)
{
	if (__atomic_sub_fetch(&node->users, 1, __ATOMIC_RELEASE) == 0) { // RACE!
		node->value = 0; // RACE!
		free(node); // RACE!
	}
}

static void *worker(void *arg)
{
	struct node *node;
	int value;

	pthread_mutex_lock(&lock);
	node = shared; // NORACE
	if (node)
		__atomic_add_fetch(&node->users, 1, __ATOMIC_RELAXED); // RACE!
	pthread_mutex_unlock(&lock);
	if (!node)
		return NULL;
	value = node->value; // RACE!
	put(node);
	return value ? arg : NULL;
}

static void *dropper(void *arg)
{
	struct node *node;

	pthread_mutex_lock(&lock);
	node = shared; // NORACE
	shared = NULL; // NORACE
	pthread_mutex_unlock(&lock);
	if (node)
		put(node);
	return arg;
}

int main(void)
{
	struct node *node = malloc(sizeof(*node));
	pthread_t t, u;

	if (!node)
		return 1;
	node->users = 1;
	node->value = 1;
	pthread_mutex_lock(&lock);
	shared = node; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, dropper, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
