/* An address that leaves the module is an entry point, without locks. */
// verdict: potential
// entry-points: 3
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;
void demo_add_hook(void (*hook)(void));

static void demo_hook(void)
{
	events++; // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	len = events; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	demo_add_hook(demo_hook);
	return misc_register(&demo_misc);
}
module_init(demo_init);
