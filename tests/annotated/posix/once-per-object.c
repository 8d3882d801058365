/* Each object has its own control; the second function uses the wrong one. */
#include <pthread.h>

static struct lazy {
	pthread_once_t control;
	int value;
} x = { PTHREAD_ONCE_INIT, 0 }, y = { PTHREAD_ONCE_INIT, 0 };
static int shared;

static void init_x(void)
{
	x.value = 1; // NORACE
	shared++; // RACE!
}

static void init_y(void)
{
	y.value = 2; // RACE!
	shared++; // RACE!
}

static void *right(void *arg)
{
	pthread_once(&x.control, init_x);
	return x.value ? arg : NULL; // NORACE
}

static void *wrong(void *arg)
{
	pthread_once(&x.control, init_x);
	return y.value ? arg : NULL; // RACE!
}

static void *third(void *arg)
{
	pthread_once(&y.control, init_y);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, right, NULL);
	pthread_create(&b, NULL, wrong, NULL);
	pthread_create(&c, NULL, third, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
