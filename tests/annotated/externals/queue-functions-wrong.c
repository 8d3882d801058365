/* A table for poll_wait has a function of the module's, and so has what those get who wait: both may be called. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/wait.h>

struct poll_table_struct {
	void (*_qproc)(struct file *file, wait_queue_head_t *queue, struct poll_table_struct *table);
	unsigned long _key;
};

struct demo_notice {
	void (*tell)(void);
};

static DECLARE_WAIT_QUEUE_HEAD(demo_queue);
static int polled, told;

static void demo_poll(struct file *file, wait_queue_head_t *queue, struct poll_table_struct *table)
{
	polled++; // RACE!
}

static void demo_tell(void)
{
	told++; // RACE!
}

static struct poll_table_struct demo_table = { ._qproc = demo_poll };
static struct demo_notice demo_notice = { .tell = demo_tell };

static int hinted;

static void demo_hint(void)
{
	hinted++; // RACE!
}

static struct demo_notice demo_hints = { .tell = demo_hint };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	poll_wait(file, &demo_queue, &demo_table);
	__wake_up(&demo_queue, 3, 1, &demo_notice);
	__wake_up_sync_key(&demo_queue, 3, &demo_hints);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
