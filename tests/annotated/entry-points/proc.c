/* Operations of a proc file. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/proc_fs.h>

static int level;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return level; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	level = len; // RACE!
	return len;
}

static const struct proc_ops demo_ops = {
	.proc_read = demo_read,
	.proc_write = demo_write,
};

static int __init demo_init(void)
{
	return proc_create("demo", 0600, NULL, &demo_ops) ? 0 : -ENOMEM;
}
module_init(demo_init);
