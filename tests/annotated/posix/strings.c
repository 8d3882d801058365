/* A shared buffer: strcpy, snprintf and memcpy are accesses like others. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char guarded[64], name[64], text[64], block[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	pthread_mutex_lock(&lock);
	snprintf(guarded, sizeof(guarded), "%d", 3); // NORACE
	pthread_mutex_unlock(&lock);
	strcpy(name, "writer"); // RACE!
	snprintf(text, sizeof(text), "%s", "hello"); // RACE!
	memset(block, 0, sizeof(block)); // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;
	char copy[64];
	size_t n;

	pthread_create(&t, NULL, writer, NULL);
	pthread_mutex_lock(&lock);
	n = strlen(guarded); // NORACE
	pthread_mutex_unlock(&lock);
	n += strlen(name); // RACE!
	n += strcmp(text, "x") == 0; // RACE!
	memcpy(copy, block, sizeof(copy)); // RACE!
	pthread_join(t, NULL);
	puts(name); // NORACE
	return n + copy[0];
}
