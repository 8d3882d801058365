/* Who has handed an object over goes on to use it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
	int id;
	long result;
};

static void *worker(void *p)
{
	struct task *task = p;

	task->result = task->id * 2L; // RACE!
	free(task); // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct task *task = malloc(sizeof(*task));

	if (!task)
		return 1;
	task->id = 1; // NORACE
	pthread_create(&t, NULL, worker, task);
	printf("%ld\n", task->result); // RACE!
	pthread_join(t, NULL);
	return 0;
}
