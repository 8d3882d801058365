/* What the macros of wait.h call gets an entry of their own, with a function of the kernel; here it does not. */
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

long prepare_to_wait_event(struct wait_queue_head *queue, struct wait_queue_entry *entry, int state);

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
	prepare_to_wait_event(&queue, &demo.entry, 1);
	while (!demo.done) // MISSED: the row takes the entry for one of the macros'
		schedule();
	remove_wait_queue(&queue, &demo.entry);
	return demo.value; // MISSED: as above
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
