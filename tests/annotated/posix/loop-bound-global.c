/* The bound of both loops is a variable that a thread changes. */
#include <pthread.h>
#include <stdio.h>

static int n = 4;
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	sum++; // RACE!
	pthread_mutex_unlock(&lock);
	n = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t[8];

	for (int i = 0; i < n; i++) // RACE!
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < n; i++) // RACE!
		pthread_join(t[i], NULL);
	printf("%d\n", sum); // RACE!
	return 0;
}
