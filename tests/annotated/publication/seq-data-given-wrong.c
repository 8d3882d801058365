/* single_open gives one object to all files of a name; what another file's open puts into its own seq_file is another matter. */
// verdict: potential
#include <linux/module.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

struct demo {
	int count;
};

struct session {
	int mode;
};

static struct demo *the_demo;

static int demo_show(struct seq_file *m, void *v)
{
	struct demo *demo = m->private; // RACE: the file of another session is another one, but nothing says so

	demo->count++; // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	return single_open(file, demo_show, inode->i_private);
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };

static int other_show(struct seq_file *m, void *v)
{
	return 0;
}

static int other_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);
	struct seq_file *m;
	int error;

	if (!session)
		return -ENOMEM;
	error = single_open(file, other_show, NULL);
	if (error)
		return error;
	m = file->private_data;
	m->private = session; // RACE: the file of another session is another one, but nothing says so
	return 0;
}

static const struct file_operations other_fops = { .owner = THIS_MODULE, .open = other_open };

static int __init demo_init(void)
{
	the_demo = kzalloc(sizeof(*the_demo), GFP_KERNEL);
	if (!the_demo)
		return -ENOMEM;
	debugfs_create_file("demo", 0444, NULL, the_demo, &demo_fops);
	debugfs_create_file("other", 0444, NULL, NULL, &other_fops);
	return 0;
}
module_init(demo_init);
MODULE_LICENSE("GPL");
