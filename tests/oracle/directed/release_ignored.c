/* What is given back does not protect any more. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_lock(&m);
	mutex_unlock(&m);
	g++;
	return 0;
}
DRIVER(.read = r)
