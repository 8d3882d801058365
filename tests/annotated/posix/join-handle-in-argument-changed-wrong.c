/* Each thread overwrites the handle in its struct. */
#include <pthread.h>
#include <stdio.h>

struct job {
	pthread_t thread;
	int in, out;
};

static void *worker(void *arg)
{
	struct job *job = arg;

	job->thread = pthread_self(); // RACE!
	job->out = job->in * 2; // RACE!
	return NULL;
}

static struct job jobs[4];

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++) {
		jobs[i].in = i; // NORACE
		pthread_create(&jobs[i].thread, NULL, worker, &jobs[i]); // RACE!
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(jobs[i].thread, NULL); // RACE!
		sum += jobs[i].out; // RACE!
	}
	printf("%d\n", sum);
	return 0;
}
