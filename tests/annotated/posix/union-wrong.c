/* Members of a union are the same memory; so is a struct that is assigned as a whole. */
#include <pthread.h>

static union {
	int number;
	char bytes[4];
	struct {
		short low, high;
	} half;
} u;

struct point {
	int x, y;
};

static struct point point;

static void *left(void *arg)
{
	u.number = 1; // RACE!
	point = (struct point){ 1, 2 }; // RACE!
	return arg;
}

static void *right(void *arg)
{
	u.half.high = 1; // RACE!
	point.y = 3; // RACE!
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
