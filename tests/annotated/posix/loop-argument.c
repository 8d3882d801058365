/* Each thread gets an element of its own, by its address. */
#include <pthread.h>
#include <stdio.h>

static int result[4];

struct job {
	int id;
	int *out;
};

static void *worker(void *arg)
{
	struct job *job = arg;

	*job->out = job->id * job->id; // RACE: what a job points to is not known to be its own
	job->id = -1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	struct job jobs[4];

	for (int i = 0; i < 4; i++) {
		jobs[i].id = i; // NORACE
		jobs[i].out = &result[i]; // NORACE
		pthread_create(&t[i], NULL, worker, &jobs[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", result[0], jobs[0].id); // NORACE
	return 0;
}
