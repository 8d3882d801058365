/* The results are read before the threads are joined. */
#include <pthread.h>
#include <stdio.h>

struct job {
	pthread_t thread;
	int in, out;
};

static void *worker(void *arg)
{
	struct job *job = arg;

	job->out = job->in * 2; // RACE!
	return NULL;
}

int main(void)
{
	struct job jobs[4];
	int sum = 0;

	for (int i = 0; i < 4; i++) {
		jobs[i].in = i; // NORACE
		pthread_create(&jobs[i].thread, NULL, worker, &jobs[i]); // NORACE
	}
	for (int i = 0; i < 4; i++) {
		sum += jobs[i].out; // RACE!
		pthread_join(jobs[i].thread, NULL); // NORACE
	}
	printf("%d\n", sum);
	return 0;
}
