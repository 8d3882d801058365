/* A mutex and a spinlock are two locks, even at one address. */
#include <oracle.h>

static union { struct mutex m; spinlock_t s; } both;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_lock(&both.m);
	g++;
	mutex_unlock(&both.m);
	return 0;
}
WRITE(w)
{
	_raw_spin_lock(&both.s);
	g++;
	_raw_spin_unlock(&both.s);
	return 0;
}
DRIVER(.read = r, .write = w)
