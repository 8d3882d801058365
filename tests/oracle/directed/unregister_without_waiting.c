/* del_timer does not wait for the function that runs (rule 5). */
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
	del_timer(&D.timer);
	D.a = 0;
}
DRIVER(.read = r)
