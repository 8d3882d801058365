/* free_irq waits, but what is registered again runs again. */
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
}
READ(r)
{
	return 0;
}
void cleanup_module(void)
{
	free_irq(1, &D);
	if (request_irq(1, irq_D, 0, "drv", &D))
		return;
	D.a = 1;
	free_irq(1, &D);
}
DRIVER(.read = r)
