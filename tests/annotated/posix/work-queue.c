/* Jobs are taken from a queue under its lock, and done without. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int input, output;
};

static struct job *queue;
static int done, stopped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		while (!queue && !stopped) // NORACE
			pthread_cond_wait(&more, &lock);
		struct job *job = queue; // NORACE
		if (!job) {
			pthread_mutex_unlock(&lock);
			return arg;
		}
		queue = job->next; // NORACE
		pthread_mutex_unlock(&lock);
		job->output = job->input * 2; // RACE: who takes a job from the queue is its only owner
		done++; // RACE!
	}
}

static void add(int input)
{
	struct job *job = malloc(sizeof(*job));

	if (!job)
		abort();
	job->input = input; // NORACE
	pthread_mutex_lock(&lock);
	job->next = queue; // NORACE
	queue = job; // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 10; i++)
		add(i);
	pthread_mutex_lock(&lock);
	stopped = 1; // NORACE
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return done; // NORACE
}
