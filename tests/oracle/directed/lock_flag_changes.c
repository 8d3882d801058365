/* A value that is read twice need not be the same twice. */
#include <oracle.h>

static struct mutex m;
static int use_lock = 1, g;
static void setup(void) {}
READ(r)
{
	if (READ_ONCE(use_lock))
		mutex_lock(&m);
	if (READ_ONCE(use_lock))
		g++;
	return 0;
}
WRITE(w)
{
	WRITE_ONCE(use_lock, rnd() & 1);
	return 0;
}
DRIVER(.read = r, .write = w)
