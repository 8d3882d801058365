/* Functions of files: open has the file for itself, the others share it; some get other files, too. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>

struct session {
	int opened, spliced;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	file->private_data = session; // RACE!
	session->opened = 1; // NORACE
	return 0;
}

static ssize_t demo_splice_read(struct file *file, loff_t *pos, struct pipe_inode_info *pipe, size_t n, unsigned int flags)
{
	struct session *session = file->private_data; // NORACE

	session->spliced++; // RACE!
	return session->opened; // NORACE
}

static ssize_t demo_splice_write(struct pipe_inode_info *pipe, struct file *file, loff_t *pos, size_t n, unsigned int flags)
{
	struct session *session = file->private_data; // NORACE

	session->spliced--; // RACE!
	return session->opened; // NORACE
}

/* Which of its files is meant is not said. */
static ssize_t demo_copy_file_range(struct file *from, loff_t from_pos, struct file *to, loff_t to_pos, size_t n,
				    unsigned int flags)
{
	return !!to->private_data; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.splice_read = demo_splice_read,
	.splice_write = demo_splice_write,
	.copy_file_range = demo_copy_file_range,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_proc_open(struct inode *inode, struct file *file)
{
	file->f_pos = 1; // RACE: that the session in the kiocb is the one that is opened is not seen
	return 0;
}

static ssize_t demo_proc_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return iocb->ki_filp->f_pos++; // RACE!
}

static const struct proc_ops demo_proc = {
	.proc_open = demo_proc_open,
	.proc_read_iter = demo_proc_read_iter,
};

static int __init demo_init(void)
{
	if (!proc_create("demo", 0, NULL, &demo_proc))
		return -ENOMEM;
	return misc_register(&demo_misc);
}
module_init(demo_init);
