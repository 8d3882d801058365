/* A lock for each bucket; the count of all has none. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 16

struct entry {
	struct entry *next;
	unsigned key;
	int value;
};

static struct bucket {
	pthread_mutex_t lock;
	struct entry *head;
} buckets[BUCKETS];
static int count;

static void put(unsigned key, int value)
{
	struct bucket *b = &buckets[key % BUCKETS];
	struct entry *e;

	pthread_mutex_lock(&b->lock);
	for (e = b->head; e; e = e->next) // NORACE
		if (e->key == key)
			break;
	if (!e && (e = malloc(sizeof(*e)))) {
		e->key = key;
		e->next = b->head; // NORACE
		b->head = e; // NORACE
		count++; // RACE!
	}
	pthread_mutex_unlock(&b->lock);
	(void)value;
}

static void *worker(void *arg)
{
	for (unsigned i = 0; i < 100; i++)
		put(i * 7, 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count; // NORACE
}
