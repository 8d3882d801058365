/* mutex_trylock succeeds with 1, mutex_lock_interruptible with 0. */
#include <oracle.h>

static struct mutex m;
static int g, h;
static void setup(void) {}
READ(r)
{
	if (mutex_trylock(&m))
		return 0;
	g++;
	return 0;
}
WRITE(w)
{
	if (!mutex_lock_interruptible(&m))
		return 0;
	h++;
	return 0;
}
DRIVER(.read = r, .write = w)
