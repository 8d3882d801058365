/* Other modules can name the variable, and give its address to a function of this one. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

int demo_level;
EXPORT_SYMBOL(demo_level);

static int own;

void demo_raise(int *level)
{
	(*level)++; // RACE!
}
EXPORT_SYMBOL(demo_raise);

static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	return demo_level + own; // RACE!
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
