/* A module that has the body of a function with a row, and exports it: what it sets up there may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/parport.h>
#include <linux/workqueue.h>

static int count, negotiated;
static struct work_struct work;

static void demo_work(struct work_struct *work) // RACE!
{
	count++; // RACE!
}

int parport_negotiate(struct parport *port, int mode)
{
	INIT_WORK(&work, demo_work); // RACE!
	schedule_work(&work); // RACE!
	negotiated = mode; // RACE!
	return count; // RACE!
}
EXPORT_SYMBOL(parport_negotiate);
