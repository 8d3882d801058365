/* Producers and consumers share a ring; the length is also read without the lock. */
#include <pthread.h>

#define SIZE 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int ring[SIZE];
static unsigned head, tail, length;
static int watermark;

static void *producer(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&lock);
		while (length == SIZE) // NORACE
			pthread_cond_wait(&not_full, &lock);
		ring[tail] = i; // NORACE
		tail = (tail + 1) % SIZE; // NORACE
		length++; // RACE!
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *consumer(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 100; i++) {
		if (length > SIZE / 2) // RACE!
			watermark = 1; // NORACE
		pthread_mutex_lock(&lock);
		while (length == 0) // NORACE
			pthread_cond_wait(&not_empty, &lock);
		sum += ring[head]; // NORACE
		head = (head + 1) % SIZE; // NORACE
		length--; // NORACE
		pthread_mutex_unlock(&lock);
		pthread_cond_signal(&not_full);
	}
	return sum ? arg : NULL;
}

int main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return watermark; // NORACE
}
