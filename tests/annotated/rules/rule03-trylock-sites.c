/* Many accesses to one member, of which one is under a lock that may be held. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct item {
	int a;
	int b;
};

static DEFINE_MUTEX(l1);
static struct item shared;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n = 0;

	if (cmd & 1)
		n += mutex_trylock(&l1);
	if (cmd == 2)
		shared.b = 1; // RACE!
	if (cmd == 3)
		shared.b = 2; // RACE!
	if (n)
		shared.b = 3; // RACE: many sites of one member take part as one, whatever their conditions
	if (cmd == 5)
		shared.b = 4; // RACE!
	if (cmd == 6)
		shared.b = 5; // RACE!
	if (cmd == 8)
		shared.b = 6; // RACE!
	if (n)
		mutex_unlock(&l1);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&l1);
	len = shared.b; // RACE!
	mutex_unlock(&l1);
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
