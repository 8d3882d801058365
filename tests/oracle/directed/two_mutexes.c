/* Two mutexes are two locks. */
#include <oracle.h>

static struct mutex m1, m2;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_lock(&m1);
	g++;
	mutex_unlock(&m1);
	return 0;
}
WRITE(w)
{
	mutex_lock(&m2);
	g++;
	mutex_unlock(&m2);
	return 0;
}
DRIVER(.read = r, .write = w)
