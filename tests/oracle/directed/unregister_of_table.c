/* misc_deregister does not wait for an open that runs (rule 5). */
#include <oracle.h>

static struct miscdevice misc;
static int g;
static void setup(void) {}
OPEN(o)
{
	g++;
	return 0;
}
IOCTL(i)
{
	misc_deregister(&misc);
	g = 1;
	return 0;
}
DRIVER(.open = o, .unlocked_ioctl = i)
