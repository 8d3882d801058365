/* Each open file has a thread, which is stopped before what it uses is freed. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/kthread.h>

struct session {
	int rounds;
	struct task_struct *task;
};

static int last;

static int session_thread(void *data)
{
	struct session *session = data;

	while (!kthread_should_stop())
		WRITE_ONCE(last, session->rounds); // NORACE
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	file->private_data = session;
	session->task = kthread_run(session_thread, session, "demo");
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	kthread_stop(session->task);
	kfree(session); // NORACE
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
