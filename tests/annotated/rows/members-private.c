/* A struct of the module's own is not the kernel's that has its name: the row for that says nothing of it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct virtio_config_ops {
	void (*get)(int *first, unsigned int n, void *buf, unsigned int len);
};

struct virtio_config_ops *find_ops(void);

static struct virtio_config_ops *ops;
static int first, second;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	ops->get(&first, 1, &second, 4); // RACE!
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	return n + first; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	ops = find_ops();
	return misc_register(&demo_misc);
}
module_init(demo_init);
