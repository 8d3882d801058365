/* Who has run the function is made to forget that: then another thread runs it again. */
// verdict: race-free
#include <pthread.h>
static int x;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init(void) { x++; } // MISSED: a once that is made anew counts as done
static void *worker(void *arg) { pthread_once(&once, init); return 0; }
int main(void)
{
	pthread_t t;
	pthread_once(&once, init);
	once = (pthread_once_t)PTHREAD_ONCE_INIT;
	pthread_create(&t, 0, worker, 0);
	int v = x; // MISSED: the same
	pthread_join(t, 0);
	return v;
}
