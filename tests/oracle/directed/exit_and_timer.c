/* Without del_timer the timer still runs while exit does. */
#include <oracle.h>

struct dev { int a; struct timer_list timer; };
static struct dev D;
static void timer_D(struct timer_list *t)
{
	D.a++;
}
static void setup(void)
{
	timer_setup(&D.timer, timer_D, 0);
	mod_timer(&D.timer, 1);
}
READ(r)
{
	return 0;
}
void cleanup_module(void)
{
	D.a = 0;
	del_timer_sync(&D.timer);
}
DRIVER(.read = r)
