/* The parameter is read by a file, too, which knows nothing of the lock around its being set. */
// verdict: potential
// assume: call-owned
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>


static char level;

static int level_set(const char *val, const struct kernel_param *kp)
{
	level = val[0]; // RACE!
	return 0;
}

static int level_get(char *buffer, const struct kernel_param *kp)
{
	buffer[0] = level; // NORACE
	return 1;
}

const struct kernel_param_ops level_ops = {
	.set = level_set,
	.get = level_get,
};

static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	return level; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.llseek = demo_llseek,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
