/* The object of a file is freed with the file, while its timer may start itself again: del_timer does not wait. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct session {
	int ticks;
	struct timer_list timer;
};

static void session_timer(struct timer_list *t) // RACE!
{
	struct session *session = from_timer(session, t, timer);

	session->ticks++; // RACE!
	mod_timer(&session->timer, jiffies + HZ); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	timer_setup(&session->timer, session_timer, 0);
	mod_timer(&session->timer, jiffies + HZ);
	file->private_data = session;
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	del_timer(&session->timer);
	kfree(session); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
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
