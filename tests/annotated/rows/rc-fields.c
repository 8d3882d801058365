/* What the core of remote controls does to a device: it fills it in, before others know it, and has the last key under its own lock. */
// verdict: potential
#include "rc.h"

extern struct rc_dev *demo_rc(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct rc_dev *rc = demo_rc();

	mutex_lock(&lock);
	if (cmd == 0)
		rc_register_device(rc); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct rc_dev *rc = demo_rc();

	mutex_lock(&state_lock);
	rc->priv = NULL; // NORACE
	rc->rx_resolution = len; // NORACE
	rc->driver_type = len; // RACE!
	rc->map_name = NULL; // RACE!
	rc->device_name = NULL; // RACE!
	rc->input_phys = NULL; // RACE!
	rc->input_id.product = len; // RACE!
	rc->driver_name = NULL; // RACE!
	rc->allowed_protocols = len; // RACE!
	rc->scancode_mask = len; // RACE!
	rc->min_timeout = len; // RACE!
	rc->max_timeout = len; // RACE!
	rc->open = NULL; // RACE!
	rc->close = NULL; // RACE!
	rc->tx_ir = NULL; // RACE!
	rc->s_filter = NULL; // RACE!
	rc->s_wakeup_filter = NULL; // RACE!
	rc->s_timeout = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct rc_dev *rc = demo_rc();

	mutex_lock(&state_lock);
	len += rc->minor; // RACE!
	len += rc->idle; // RACE!
	len += rc->timeout; // RACE!
	len += rc->enabled_protocols; // RACE!
	len += rc->registered; // RACE!
	len += rc->rc_map.size; // RACE!
	len += rc->rc_map.len; // RACE!
	len += rc->rc_map.alloc; // RACE!
	len += rc->rc_map.rc_proto; // RACE!
	len += !rc->rc_map.scan; // RACE!
	len += !rc->rc_map.name; // RACE!
	len += !rc->change_protocol; // RACE!
	len += !rc->sysfs_groups[0]; // RACE!
	len += !rc->dev.groups; // RACE!
	len += !rc->dev.driver_data; // RACE!
	len += !rc->raw; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct input_dev *input = demo_rc()->input_dev;
	int len = 0;

	mutex_lock(&state_lock);
	len += input->keybit[0]; // RACE!
	len += input->evbit[0]; // RACE!
	len += input->relbit[0]; // RACE!
	len += input->mscbit[0]; // RACE!
	len += input->propbit[0]; // RACE!
	len += !input->open; // RACE!
	len += !input->close; // RACE!
	len += !input->dev.parent; // RACE!
	len += input->id.vendor; // RACE!
	len += !input->phys; // RACE!
	len += !input->name; // RACE!
	len += input->rep[1]; // RACE!
	len += input->absbit[0]; // NORACE
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read, .write = demo_write, .open = demo_open };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
