/* The module itself gives out the address of a struct as one of characters. */
// verdict: potential
// assume: type-split
#include <linux/fs.h>
#include <linux/export.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>

static DEFINE_MUTEX(lock);

void give_text(char *text);

void demo_fill(char *text)
{
	mutex_lock(&lock);
	text[0] = 'x'; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_fill);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ifreq *request = file->private_data;

	give_text((char *)request); // RACE: what the function does with it is not known
	return request->value; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
