/* The end of a number and a word are in the text. Its lock is given back too early. */
// verdict: potential
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char line[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *cut(void *arg)
{
	char *end, *state, *word;

	pthread_mutex_lock(&lock);
	strtol(line, &end, 10); // NORACE
	word = strtok_r(line, " ", &state); // NORACE
	pthread_mutex_unlock(&lock);
	*end = 0; // RACE!
	if (word)
		*word = 0; // RACE!
	strtok_r(NULL, " ", &state); // RACE!
	return arg;
}

static void *fill(void *arg)
{
	pthread_mutex_lock(&lock);
	memset(line, 'x', sizeof(line) - 1); // RACE!
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, cut, NULL);
	pthread_create(&b, NULL, fill, NULL);
	return 0;
}
