/* What init writes after the registration, it writes while the handler runs. */
#include <oracle.h>

struct dev { int a; };
static struct dev D;
static irqreturn_t irq_D(int irq, void *cookie)
{
	struct dev *d = cookie;
	d->a++;
	return 1;
}
static void setup(void)
{
	if (request_irq(1, irq_D, 0, "drv", &D))
		return;
	D.a = 1;
}
READ(r)
{
	return 0;
}
DRIVER(.read = r)
