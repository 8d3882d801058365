/* Texts that are printed in many ways, while somebody else writes them. */
// verdict: potential
#include "printed-texts.h"

static DEFINE_MUTEX(demo_mutex);
static char name[16];
static const char *format;

static void print(struct seq_file *to, struct device *dev, struct net_device *net, int number)
{
	char out[32];

	snprintf(out, sizeof(out), "%s", name); // RACE!
	seq_puts(to, name); // RACE!
	seq_printf(to, "%d %s\n", number, name); // RACE!
	__warn_printk("%s", name); // RACE!
	_printk("demo: %s\n", name); // RACE!
	_dev_printk("4", dev, "%.*s", number, name); // RACE!
	_dev_info(dev, "%-8s", name); // RACE!
	netdev_printk("4", net, "%s", name); // RACE!
	netdev_info(net, "%s", name); // RACE!
	__dynamic_pr_debug(out, "%s", name); // RACE!
	__dynamic_dev_dbg(out, dev, "%s", name); // RACE!
	kfree(kasprintf(GFP_KERNEL, "%s", name)); // RACE!
	devm_kstrdup(dev, name, GFP_KERNEL); // RACE!
	_printk("%*ph\n", 8, name); // RACE!
	_printk("%pM\n", name); // RACE!
	_printk(format, name); // RACE!
	_printk("%p %px %ps\n", name, name, name); // NORACE
	_printk("%d\n", number); // NORACE
}

/* What they are named by, the names being read. */
static void rename_all(struct device *dev, struct kobject *kobj)
{
	dev_set_name(dev, "%s", name); // RACE!
	kobject_set_name(kobj, "%s", name); // RACE!
}

/* What a list leads to is not looked at. */
static int print_list(struct device *dev, const char *fmt, ...)
{
	char out[32];
	va_list args;
	char *copy, *managed;

	__builtin_va_start(args, fmt);
	copy = kvasprintf(GFP_KERNEL, fmt, args); // NORACE
	managed = devm_kvasprintf(dev, GFP_KERNEL, fmt, args); // NORACE
	vsprintf(out, fmt, args); // NORACE
	vsnprintf(out, sizeof(out), fmt, args); // NORACE
	__builtin_va_end(args);
	kfree(copy);
	return managed ? out[0] : 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct device *dev = device_of(cmd);

	print(file->private_data, dev, net_of(cmd), cmd);
	rename_all(dev, (struct kobject *)arg);
	return print_list(dev, "%d", cmd);
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo_mutex);
	name[0] = len; // RACE!
	mutex_unlock(&demo_mutex);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
