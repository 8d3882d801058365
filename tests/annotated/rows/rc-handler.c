/* A decoder: the core calls it under one lock for all, and no more when it is unregistered. */
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

static int state, users, coded, late;

static int demo_decode(struct rc_dev *rc, struct ir_raw_event event)
{
	state++; // NORACE
	late++; // RACE!
	return 0;
}

static int demo_encode(int protocol, u32 scancode, struct ir_raw_event *events, unsigned int max)
{
	events->duration = ++coded; // NORACE
	return 1;
}

static int demo_raw_register(struct rc_dev *rc)
{
	users++; // NORACE
	return 0;
}

static int demo_raw_unregister(struct rc_dev *rc)
{
	users--; // NORACE
	return 0;
}

static struct ir_raw_handler demo_handler = {
	.protocols = 1,
	.decode = demo_decode,
	.encode = demo_encode,
	.raw_register = demo_raw_register,
	.raw_unregister = demo_raw_unregister,
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	demo_handler.protocols = len; // RACE!
	demo_handler.list.next = NULL; // RACE!
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	int error = misc_register(&demo_misc);

	if (error)
		return error;
	state = 1; // NORACE
	ir_raw_handler_register(&demo_handler); // RACE!
	late = 1; // RACE!
	return 0;
}

static void __exit demo_exit(void)
{
	ir_raw_handler_unregister(&demo_handler); // RACE!
	misc_deregister(&demo_misc);
	state = users = coded = 0; // NORACE
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
