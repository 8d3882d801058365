/* What all threads need is set before they are made, and only read. */
#include <pthread.h>
#include <stdlib.h>

struct config {
	int level;
	const char *name;
};

static struct config *config;
static int table[16];
static int state;

static void *worker(void *arg)
{
	int sum = 0;

	for (int i = 0; i < 16; i++)
		sum += table[i]; // NORACE
	if (config->level > sum) // NORACE
		state = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_t t[2];

	config = malloc(sizeof(*config)); // NORACE
	if (!config)
		return 1;
	config->level = 3; // NORACE
	config->name = "test"; // NORACE
	for (int i = 0; i < 16; i++)
		table[i] = i * i; // NORACE
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	config->level = 0; // NORACE
	return 0;
}
