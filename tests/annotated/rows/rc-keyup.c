/* A key is released under keylock. */
// verdict: potential
#include "rc.h"

extern struct rc_dev *demo_rc(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	rc_keyup(demo_rc()); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct rc_dev *rc = demo_rc();

	mutex_lock(&state_lock);
	rc->priv = NULL; // NORACE
	rc->enabled_protocols = len; // NORACE
	spin_lock_irq(&rc->keylock);
	len += rc->keypressed; // NORACE
	rc->last_keycode = len; // NORACE
	spin_unlock_irq(&rc->keylock);
	rc->last_protocol = len; // NORACE
	len += rc->keypressed; // RACE!
	rc->last_keycode = len; // RACE!
	rc->input_dev->name = NULL; // RACE!
	rc->input_dev = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
