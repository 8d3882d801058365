/* Parameters of two calls are different; cmd decides who locks. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
IOCTL(i)
{
	if (cmd == 1)
		mutex_lock(&m);
	g++;
	if (cmd == 1)
		mutex_unlock(&m);
	return 0;
}
DRIVER(.unlocked_ioctl = i)
