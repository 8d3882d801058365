/* Two bit-fields under two locks. */
#include <oracle.h>

struct dev { unsigned int f1 : 3, f2 : 4; };
static struct dev dev;
static struct mutex m1, m2;
static void setup(void) {}
READ(r)
{
	mutex_lock(&m1);
	dev.f1 = 1;
	mutex_unlock(&m1);
	return 0;
}
WRITE(w)
{
	mutex_lock(&m2);
	dev.f2 = 2;
	mutex_unlock(&m2);
	return 0;
}
DRIVER(.read = r, .write = w)
