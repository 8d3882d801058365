/* Neighbours are different memory: elements, members, and bit-fields with a zero width between them. */
#include <pthread.h>

static char bytes[4];
static struct {
	char a;
	char b;
	int c;
	unsigned x : 4;
	unsigned y : 4;
	unsigned : 0;
	unsigned z : 4;
} s;

static void *left(void *arg)
{
	bytes[0] = 1; // NORACE
	s.a = 1; // NORACE
	s.x = 1; // RACE!
	return arg;
}

static void *right(void *arg)
{
	bytes[1] = 1; // NORACE
	s.b = 1; // NORACE
	s.c = 1; // NORACE
	s.y = 1; // RACE!
	s.z = 1; // NORACE
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
