/* Each thread gets a heap object of its own and frees it. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	int id;
	long result;
};

static void *worker(void *p)
{
	struct task *task = p;

	task->result = task->id * 2L; // NORACE
	free(task); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++) {
		struct task *task = malloc(sizeof(*task));

		if (!task)
			return 1;
		task->id = i; // NORACE
		pthread_create(&t[i], NULL, worker, task);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
