/* The interrupt is over before exit waits for the timer, and nobody sets that again. */
#include <oracle.h>

struct dev { int a; struct timer_list timer; };
static struct dev D;
static void timer_D(struct timer_list *t)
{
	struct dev *d = container_of(t, struct dev, timer);

	d->a++;
}
static irqreturn_t irq_D(int irq, void *cookie)
{
	struct dev *d = cookie;

	mod_timer(&d->timer, 1);
	return 1;
}
static void setup(void)
{
	timer_setup(&D.timer, timer_D, 0);
	request_irq(1, irq_D, 0, "drv", &D);
}
READ(r)
{
	return 0;
}
void cleanup_module(void)
{
	free_irq(1, &D);
	del_timer_sync(&D.timer);
	D.a = 0;
}
DRIVER(.read = r)
