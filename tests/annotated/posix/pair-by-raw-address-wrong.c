/* What the compiler puts into a struct on the stack in pieces is read without the struct's type. */
// verdict: potential
#include <pthread.h>
struct pair { int *a, *b; };
static struct pair mk(int *a, int *b) { return (struct pair){a, b}; }
static void *worker(void *arg)
{
	*((int **)arg)[1] = 1; // RACE!
	return 0;
}
int main(void)
{
	pthread_t t;
	int u = 0, w = 0;
	struct pair p = mk(&u, &w);
	pthread_create(&t, 0, worker, &p);
	w = 2; // RACE!
	pthread_join(t, 0);
	return w;
}
