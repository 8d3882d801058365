/* The functions stand in a table. */
#include <pthread.h>

static int first, second, both;

static void *one(void *arg)
{
	first++; // NORACE
	both++; // RACE!
	return arg;
}

static void *two(void *arg)
{
	second++; // NORACE
	both++; // RACE!
	return arg;
}

static void *(*const table[])(void *) = { one, two };

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, table[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return first + second + both; // NORACE
}
