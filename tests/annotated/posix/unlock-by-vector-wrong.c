/* The lock that is given back was the element of a vector. */
// verdict: potential
#include <pthread.h>
#include <stdint.h>
typedef uintptr_t v2 __attribute__((vector_size(16)));
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *ta(void *arg)
{
	v2 v = {(uintptr_t)&m, 0};
	pthread_mutex_lock(&m);
	pthread_mutex_unlock((void *)v[0]);
	x++; // RACE!
	return 0;
}
static void *tb(void *arg) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } // RACE!
int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, ta, 0); pthread_create(&t, 0, tb, 0);
	pthread_join(s, 0); pthread_join(t, 0);
	return 0;
}
