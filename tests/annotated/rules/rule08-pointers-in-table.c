/* A table of structs has the pointers to what is counted, behind other members. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

static long reads;
static long writes;
static long other;

struct entry {
	long flags;
	long *count;
};

static const struct entry table[] = {
	{ 1, &reads },
	{ 2, &writes },
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	*table[arg & 1].count = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	reads++; // RACE!
	writes++; // RACE!
	other++; // NORACE
	mutex_unlock(&b);
	return 0;
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
