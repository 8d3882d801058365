/* A function that nobody defines: its address is null. */
// verdict: potential
#include <pthread.h>
extern void hook(void) __attribute__((weak));
static int x;
static void *ta(void *arg) { if (!hook) x = 1; return 0; } // RACE!
int main(void)
{
	pthread_t s;
	pthread_create(&s, 0, ta, 0);
	x = 2; // RACE!
	pthread_join(s, 0);
	return 0;
}
