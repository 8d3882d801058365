/* How much was printed so far is written by %n. */
// verdict: race-free
#include <pthread.h>
#include <stdio.h>
static int n;
static void *ta(void *arg) { printf("abc%n\n", &n); return 0; } // MISSED: all arguments are taken for texts
int main(void)
{
	pthread_t s;
	pthread_create(&s, 0, ta, 0);
	int v = n; // MISSED: the same
	pthread_join(s, 0);
	return v;
}
