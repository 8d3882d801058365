/* The kernel's counter of ticks is another number at each read: what follows a wait for a later one is executed, also
   what only happens if the time has passed, and it chooses no lock twice. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/jiffies.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static spinlock_t locks[4];
static int waited, late, chosen, state_changed;
extern int system_state;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long end = jiffies + HZ;
	int before = system_state;
	spinlock_t *any;

	late = 0; // RACE!
	if (time_after(jiffies, end))
		late = 1; // RACE!
	while (time_before(jiffies, end))
		;
	waited = 1; // RACE!
	if (before != system_state)
		state_changed++; // RACE!
	any = &locks[jiffies & 3];
	spin_lock(any);
	chosen++; // RACE!
	spin_unlock(any);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	spin_lock(&lock);
	waited = 2; // RACE!
	spin_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
