/* A key is pressed: the core has it under keylock, and looks it up under the lock of the table. */
// verdict: potential
#include "rc.h"

extern struct rc_dev *demo_rc(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	rc_keydown(demo_rc(), 1, 2, 0); // RACE!
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
	len += rc->last_protocol; // NORACE
	len += rc->last_scancode; // NORACE
	len += rc->last_toggle; // NORACE
	len += rc->last_keycode; // NORACE
	len += rc->keypressed; // NORACE
	len += rc->keyup_jiffies; // NORACE
	spin_unlock_irq(&rc->keylock);
	spin_lock_irq(&rc->rc_map.lock);
	rc->rc_map.scan = NULL; // NORACE
	rc->rc_map.len = len; // NORACE
	spin_unlock_irq(&rc->rc_map.lock);
	len += rc->last_protocol; // RACE!
	len += rc->last_scancode; // RACE!
	len += rc->last_toggle; // RACE!
	len += rc->last_keycode; // RACE!
	len += rc->keypressed; // RACE!
	len += rc->keyup_jiffies; // RACE!
	rc->timeout = len; // RACE!
	rc->allowed_protocols = len; // RACE!
	rc->rc_map.scan = NULL; // RACE!
	rc->rc_map.len = len; // RACE!
	rc->input_dev->name = NULL; // RACE!
	rc->input_dev = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
