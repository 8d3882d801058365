/* The same, where the works are at one offset, and one struct is cast to the other. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct port { int n; struct work_struct work; int x; };
struct hub { int n; struct work_struct work; int y, x; };
static struct hub hub;
static struct port port;
static DEFINE_MUTEX(lock);

static void job(struct work_struct *work) // RACE!
{
	struct port *p = container_of(work, struct port, work);
	struct hub *h = (struct hub *)p;

	if (work == &port.work)
		p->x++;
	else
		h->x++;
}
static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	INIT_WORK(&hub.work, job); // RACE!
	schedule_work(&hub.work);
	mutex_unlock(&lock);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
static int __init demo_init(void)
{
	INIT_WORK(&port.work, job);
	INIT_WORK(&hub.work, job);
	return misc_register(&demo_misc);
}
module_init(demo_init);
