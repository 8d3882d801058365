/* Who registers in open may have done so for another file. */
#include <oracle.h>

struct dev { int a; };
static struct dev D;
static void setup(void) {}
static irqreturn_t irq_D(int irq, void *cookie)
{
	struct dev *d = cookie;
	d->a++;
	return 1;
}
OPEN(o)
{
	if (rnd() & 1) {
		if (request_irq(1, irq_D, 0, "drv", &D))
			return -1;
		return 0;
	}
	D.a = 1;
	return 0;
}
DRIVER(.open = o)
