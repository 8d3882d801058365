/* Two calls that both see the flag clear write the data twice; readers that see it set read it
 * meanwhile.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/compiler.h>

static int ready, data;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	data = cmd; // RACE!
	smp_store_release(&ready, 1); // NORACE
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (smp_load_acquire(&ready)) // NORACE
		len = data; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
