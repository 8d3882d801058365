/* init runs once: it does not race with itself. */
// verdict: race-free
// entry-points: 1
// pairs: 0
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int events;

static int __init demo_init(void)
{
	events++; // NORACE
	return 0;
}
module_init(demo_init);
