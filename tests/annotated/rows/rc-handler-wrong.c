/* A decoder is changed while the core has it. */
// verdict: potential
#include "rc.h"

struct ir_raw_handler {
	struct list_head list;
	u64 protocols;
	int (*decode)(struct rc_dev *dev, struct ir_raw_event event);
	int (*encode)(int protocol, u32 scancode, struct ir_raw_event *events, unsigned int max);
	int (*raw_register)(struct rc_dev *dev);
	int (*raw_unregister)(struct rc_dev *dev);
};
int ir_raw_handler_register(struct ir_raw_handler *handler);
void ir_raw_handler_unregister(struct ir_raw_handler *handler);

static int state;

static int demo_encode(int protocol, u32 scancode, struct ir_raw_event *events, unsigned int max)
{
	events->duration = 1; // NORACE
	state++; // NORACE
	return 1;
}

static struct ir_raw_handler known = { .encode = demo_encode }, gone, both;
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == 0)
		ir_raw_handler_register(&known); // RACE!
	else if (cmd == 1)
		ir_raw_handler_unregister(&gone); // RACE!
	else if (cmd == 2)
		ir_raw_handler_unregister(&both); // NORACE
	else
		ir_raw_handler_register(&both); // NORACE
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	known.protocols = len; // RACE!
	known.list.next = NULL; // RACE!
	known.raw_unregister = NULL; // NORACE
	gone.protocols = len; // RACE!
	gone.list.next = NULL; // RACE!
	gone.raw_unregister = NULL; // RACE!
	mutex_unlock(&state_lock);
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
