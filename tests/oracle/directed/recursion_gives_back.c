/* And gives back what it gives back. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void deeper(unsigned int k)
{
	if (k == 0)
		mutex_unlock(&m);
	else
		deeper(k - 1);
}
READ(r)
{
	mutex_lock(&m);
	deeper(5);
	g++;
	return 0;
}
DRIVER(.read = r)
