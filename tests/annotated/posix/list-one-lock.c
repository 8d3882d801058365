/* A list with one lock; one thread walks without it. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		return;
	n->value = value; // NORACE
	pthread_mutex_lock(&lock);
	n->next = head; // NORACE
	head = n; // RACE!
	pthread_mutex_unlock(&lock);
}

static void *producer(void *arg)
{
	for (int i = 0; i < 10; i++)
		push(i);
	return arg;
}

static void *counter(void *arg)
{
	int n = 0;

	pthread_mutex_lock(&lock);
	for (struct node *p = head; p; p = p->next) // NORACE
		n += p->value; // NORACE
	pthread_mutex_unlock(&lock);
	if (!head) // RACE!
		n = 0;
	return n ? arg : NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, producer, NULL);
	pthread_create(&c, NULL, counter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
