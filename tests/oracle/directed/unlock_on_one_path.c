/* The same for a lock that only one path gives back. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_lock(&m);
	if (rnd() & 1)
		mutex_unlock(&m);
	g++;
	return 0;
}
WRITE(w)
{
	mutex_lock(&m);
	if (!(rnd() & 1))
		mutex_unlock(&m);
	g++;
	return 0;
}
DRIVER(.read = r, .write = w)
