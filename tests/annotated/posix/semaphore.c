/* A semaphore that begins with one is a mutex; one that begins with two is none. */
#include <pthread.h>
#include <semaphore.h>

static sem_t one, two;
static int guarded, shared;

static void *worker(void *arg)
{
	sem_wait(&one);
	guarded++; // RACE: what a semaphore counts is not known
	sem_post(&one);
	sem_wait(&two);
	shared++; // RACE!
	sem_post(&two);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&one, 0, 1);
	sem_init(&two, 0, 2);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
