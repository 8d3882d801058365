/* Who wakes a queue calls the functions of its entries, which lie on the stacks of those who wait. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/wait.h>

struct demo {
	wait_queue_entry_t entry;
	int value;
	int done;
};

static DECLARE_WAIT_QUEUE_HEAD(queue);

static int demo_wake(wait_queue_entry_t *entry, unsigned int mode, int flags, void *key)
{
	struct demo *demo = container_of(entry, struct demo, entry);

	demo->value = flags; // RACE!
	demo->done = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo demo = { .done = 0 };

	init_waitqueue_func_entry(&demo.entry, demo_wake);
	add_wait_queue(&queue, &demo.entry);
	while (!demo.done) // RACE!
		schedule();
	remove_wait_queue(&queue, &demo.entry);
	return demo.value; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	wake_up(&queue);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
