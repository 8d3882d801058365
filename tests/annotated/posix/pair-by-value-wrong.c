/* A struct that a function returns in registers: a thread gets its address. */
// verdict: potential
#include <pthread.h>
struct pair { int *a, *b; };
static struct pair mk(int *a, int *b) { return (struct pair){a, b}; }
static void *worker(void *arg) { struct pair *p = arg; *p->b = 1; return 0; } // RACE!
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
