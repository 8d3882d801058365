/* The thread is begun through a pointer to the function that does so. */
// verdict: potential
#include <pthread.h>
static int x;
static void *worker(void *arg) { x++; return 0; } // RACE!
static const struct os {
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
} os = {pthread_create};
int main(void)
{
	pthread_t t;
	os.create(&t, 0, worker, 0);
	x = 2; // RACE!
	pthread_join(t, 0);
	return 0;
}
