/* And gives back what it gives back. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void down(unsigned int k)
{
	if (k == 0)
		mutex_unlock(&m);
	else
		down(k - 1);
}
READ(r)
{
	mutex_lock(&m);
	down(1);
	g++;
	return 0;
}
DRIVER(.read = r)
