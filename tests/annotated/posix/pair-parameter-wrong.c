/* A struct that a function gets in registers: a thread gets its address. */
// verdict: potential
#include <pthread.h>
struct pair { int *a; long n; };
static int x;
static void *worker(void *arg) { struct pair *p = arg; *p->a = 1; return 0; } // RACE!
static void go(struct pair p)
{
	pthread_t t;
	pthread_create(&t, 0, worker, &p);
	x = 2; // RACE!
	pthread_join(t, 0);
}
int main(void) { go((struct pair){&x, 1}); return 0; }
