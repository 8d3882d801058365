/* Or given to a registration. */
#include <oracle.h>

struct dev { int a; struct timer_list timer; };
static struct dev D;
static void timer_D(struct timer_list *t)
{
	struct dev *d = container_of(t, struct dev, timer);
	d->a++;
}
static void setup(void)
{
	timer_setup(&D.timer, timer_D, 0);
	D.a = 1;
	mod_timer(&D.timer, 1);
	D.a = 2;
}
READ(r)
{
	return 0;
}
DRIVER(.read = r)
