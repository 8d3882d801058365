/* An index that is not known may be any element. */
#include <oracle.h>

struct dev { int arr[4]; };
static struct dev dev;
static void setup(void) {}
READ(r)
{
	dev.arr[2] = 1;
	return 0;
}
WRITE(w)
{
	dev.arr[rnd() & 3] = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
