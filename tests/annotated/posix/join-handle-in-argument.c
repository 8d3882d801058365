/* Each thread gets a struct that has its handle, too. */
#include <pthread.h>
#include <stdio.h>

struct job {
	pthread_t thread;
	int in, out;
};

static void *worker(void *arg)
{
	struct job *job = arg;

	job->out = job->in * 2; // NORACE
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
		pthread_join(jobs[i].thread, NULL); // NORACE
		sum += jobs[i].out; // NORACE
	}
	printf("%d\n", sum);
	return 0;
}
