/* Sorting writes the array; the comparator counts. */
#include <pthread.h>
#include <stdlib.h>

static int mine[8], ours[8];
static int comparisons;

static int compare(const void *a, const void *b)
{
	comparisons++; // RACE!
	return *(const int *)a - *(const int *)b; // RACE!
}

static void *sorter(void *arg)
{
	qsort(arg, 8, sizeof(int), compare); // NORACE
	return NULL;
}

static void *other(void *arg)
{
	qsort(ours, 8, sizeof(int), compare); // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sorter, mine);
	pthread_create(&b, NULL, other, NULL);
	ours[0] = 1; // RACE!
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return mine[0]; // NORACE
}
