/* What no execution does, though nothing that is proved excludes it: none is shown that does. */
// verdict: potential
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern char *optarg;
extern void hook(void) __attribute__((weak));
static const char text[] = "a text that is so long that the compiler's own form of it is no constant for us";
static union { double real; long bits; } number = { 1.5 };
static __thread int own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, tried = PTHREAD_MUTEX_INITIALIZER;
static atomic_int five = 5;
static int shared;
struct large { long values[5]; };
static struct large given;

static void take(struct large mine)
{
	mine.values[0] = 1; // NORACE
}

static void *worker(void *argument)
{
	int kind = (int)(intptr_t)argument, written = 0, n = 0;
	char *first, *second;
	struct timespec now;

	take(given); // NORACE
	switch (kind) {
	case 0:
		for (const char *s = text; *s; s++)
			n++;
		if (n == 0)
			shared++; // RACE: the text is not empty
		break;
	case 1:
		if (number.bits == 0)
			shared++; // RACE: nor is that zero
		break;
	case 2:
		first = malloc(64);
		if (!first)
			break;
		memset(first, 1, 64); // NORACE
		free(first);
		second = malloc(64);
		if (second && second[40] == 0) // NORACE
			shared++; // RACE: what a block holds that was freed before
		free(second);
		break;
	case 3:
		if (rand() < 0)
			shared++; // RACE: no random number is negative
		break;
	case 4:
		if (timespec_get(&now, TIME_UTC) == 0)
			shared++; // RACE: it gives TIME_UTC
		break;
	case 5:
		first = malloc(8);
		if (first && (int)(intptr_t)first == 0)
			shared++; // RACE: addresses are no such numbers
		free(first);
		break;
	case 6:
		if (optarg || hook)
			shared++; // RACE: what other files define may not be there
		break;
	case 7:
		printf("abc%n", &written); // NORACE
		if (written == 0)
			shared++; // RACE: three characters are written
		break;
	case 8:
		if (1 << (kind + 32) == 0)
			shared++; // RACE: the processor shifts by less
		break;
	case 10:
		first = malloc(8);
		free(first);
		second = malloc(8);
		if (first && first != second)
			shared++; // RACE: the block that was freed is given again
		free(second);
		break;
	case 9:
		if (!malloc(2 << 20))
			shared++; // RACE: so much is there
		break;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[22];

	for (int i = 0; i < 22; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)(i / 2));
	for (int i = 0; i < 22; i++)
		pthread_join(threads[i], NULL);
	return shared; // NORACE
}
