/* A struct is copied by hand, in halves of its pointers. */
// verdict: potential
#include <pthread.h>
struct job { int *p; };
static void *worker(void *arg) { *((struct job *)arg)->p = 1; return 0; } // RACE!
int main(void)
{
	pthread_t t;
	int l = 0;
	struct job j = {&l}, k;
	int *d = (int *)&k, *s = (int *)&j;
	d[0] = s[0];
	d[1] = s[1];
	pthread_create(&t, 0, worker, &k);
	l = 2; // RACE!
	pthread_join(t, 0);
	return 0;
}
