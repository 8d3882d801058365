/* One thread gives the address of its errno to another. */
// verdict: race-free
#include <pthread.h>
#include <errno.h>
static int *ep;
static void *ta(void *arg) { *ep = 5; return 0; } // MISSED: each use of errno is an object of its own
int main(void)
{
	pthread_t s;
	ep = &errno;
	pthread_create(&s, 0, ta, 0);
	errno = 1; // MISSED: the same
	pthread_join(s, 0);
	return 0;
}
