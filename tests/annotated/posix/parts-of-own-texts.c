/* Each thread cuts a text of its own into words; the ends of numbers may be asked for or not. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
	char line[32], *end, *state, *word;
	long found;

	fcntl(0, F_SETFL, O_NONBLOCK); // NORACE
	if (!fgets(line, sizeof(line), stdin)) // NORACE
		return NULL;
	found = strtol(line, NULL, 10); // NORACE
	found += strtoul(line, &end, 0); // NORACE
	*end = 0; // NORACE
	for (word = strtok_r(line, " ", &state); word; word = strtok_r(NULL, " ", &state)) // RACE: in a loop nobody knows whose text the place is in
		found += word[0]; // RACE: as above
	pthread_mutex_lock(&lock);
	sum += found; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
