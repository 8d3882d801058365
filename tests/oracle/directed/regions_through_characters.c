/* A pointer may be stored through a pointer to characters. */
#include <oracle.h>

struct dev { int a; int *p; };
static struct dev dev;
static int g;
static void put(struct dev *d, int *what)
{
	char *c = (char *)d;
	*(int **)(c + 8) = what;
}
static void setup(void)
{
	put(&dev, &g);
}
READ(r)
{
	int *p = dev.p;
	*p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
