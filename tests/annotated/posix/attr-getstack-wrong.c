/* Two places are written: where the stack is, and how large. */
// verdict: potential
#include <pthread.h>
static size_t size;
static void *ta(void *arg)
{
	pthread_attr_t a; void *p;
	pthread_attr_init(&a);
	pthread_attr_getstack(&a, &p, &size); // RACE!
	return 0;
}
int main(void)
{
	pthread_t s;
	pthread_create(&s, 0, ta, 0);
	size_t v = size; // RACE!
	pthread_join(s, 0);
	return v != 0;
}
