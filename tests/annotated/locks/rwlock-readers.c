/* Readers, by every form, and a writer. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwlock.h>

static DEFINE_RWLOCK(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		read_lock(&lock);
		arg = events; // NORACE
		read_unlock(&lock);
		return arg;
	case 1:
		read_lock_bh(&lock);
		arg = events; // NORACE
		read_unlock_bh(&lock);
		return arg;
	case 2:
		read_lock_irq(&lock);
		arg = events; // NORACE
		read_unlock_irq(&lock);
		return arg;
	case 3:
		if (!read_trylock(&lock))
			return -EBUSY;
		arg = events; // NORACE
		read_unlock(&lock);
		return arg;
	}
	write_lock(&lock);
	events++; // NORACE
	write_unlock(&lock);
	return 0;
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

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
