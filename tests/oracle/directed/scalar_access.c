/* A pointer to an integer may point to a member. */
#include <oracle.h>

struct dev { int a, b; };
static struct dev dev;
static int *number;
static void setup(void)
{
	number = &dev.b;
}
READ(r)
{
	dev.b = 1;
	return 0;
}
WRITE(w)
{
	*number = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
