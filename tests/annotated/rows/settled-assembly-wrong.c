/* Assembly of the module's own writes a member that code outside does not write. */
#include <linux/hw_random.h>

int demo_store(struct watchdog_device *wdd, int id)
{
	asm volatile("movl %1, %0" : "=m" (wdd->id) : "r" (id)); // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_store);
int demo_show(struct watchdog_device *wdd)
{
	return wdd->id; // RACE!
}
EXPORT_SYMBOL(demo_show);
