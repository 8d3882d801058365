/* A lock that only one path takes is not held where the paths meet. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	if (rnd() & 1)
		mutex_lock(&m);
	g++;
	return 0;
}
WRITE(w)
{
	if (!(rnd() & 1))
		mutex_lock(&m);
	g++;
	return 0;
}
DRIVER(.read = r, .write = w)
