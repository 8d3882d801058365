/* Two parts of one buffer; the third overlaps. */
#include <pthread.h>
#include <string.h>

static char buffer[96];

static void *low(void *arg)
{
	memset(buffer, 1, 32); // NORACE
	return arg;
}

static void *middle(void *arg)
{
	memset(buffer + 32, 2, 33); // RACE!
	return arg;
}

static void *high(void *arg)
{
	memset(buffer + 64, 3, 32); // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, low, NULL);
	pthread_create(&b, NULL, middle, NULL);
	pthread_create(&c, NULL, high, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return buffer[0];
}
