/* The function that compares gets any element. */
// verdict: potential
#include <pthread.h>
#include <stdlib.h>
static int x, y;
struct e { int k; int *p; };
static const struct e tab[2] = {{1, &x}, {2, &y}};
static int cmp(const void *k, const void *e) { const struct e *q = e; *q->p = 3; return *(const int *)k - q->k; } // RACE!
static void *ta(void *arg) { int k = 2; bsearch(&k, tab, 2, sizeof(tab[0]), cmp); return 0; }
int main(void)
{
	pthread_t s;
	pthread_create(&s, 0, ta, 0);
	y = 2; // RACE!
	pthread_join(s, 0);
	return 0;
}
