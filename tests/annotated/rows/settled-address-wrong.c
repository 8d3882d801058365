/* A function outside gets the address of a member that it does not write on its own: the module chooses when. */
#include <linux/hw_random.h>

extern int parse_id(const char *text, int *id);
int demo_store(struct watchdog_device *wdd, const char *buf)
{
	return parse_id(buf, &wdd->id); // RACE!
}
EXPORT_SYMBOL(demo_store);
int demo_show(struct watchdog_device *wdd)
{
	return wdd->id; // RACE!
}
EXPORT_SYMBOL(demo_show);
