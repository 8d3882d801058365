/* Members of a union hold each other's pointers. */
#include <oracle.h>

union both { int *p; unsigned long n; };
struct dev { int a; union both u; };
static struct dev dev;
static int g;
static void setup(void)
{
	dev.u.n = (unsigned long)&g;
}
READ(r)
{
	int *p = dev.u.p;
	*p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
