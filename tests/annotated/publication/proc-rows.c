/* Files in proc and debugfs: their functions may run once the file is there, and get the data. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/debugfs.h>
#include <linux/slab.h>

struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	int (*show)(struct seq_file *m, void *v);
};
struct proc_dir_entry *proc_create_seq_private(const char *name, umode_t mode, struct proc_dir_entry *parent,
					       const struct seq_operations *ops, unsigned int state_size, void *data);
struct proc_dir_entry *proc_mkdir_data(const char *name, umode_t mode, struct proc_dir_entry *parent, void *data);
int seq_open(struct file *file, const struct seq_operations *ops);
int single_open_size(struct file *file, int (*show)(struct seq_file *m, void *v), void *data, size_t size);
void debugfs_create_devm_seqfile(struct device *dev, const char *name, struct dentry *parent,
				 int (*read)(struct seq_file *m, void *v));

static int by_proc, by_single, by_seq, by_seq_open, by_debugfs, by_devm;

static ssize_t proc_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return by_proc; // RACE!
}
static const struct proc_ops proc_ops = { .proc_read = proc_read };

static int single_show(struct seq_file *m, void *v)
{
	return by_single; // RACE!
}

static int seq_show(struct seq_file *m, void *v)
{
	return by_seq; // RACE!
}
static const struct seq_operations seq_ops = { .show = seq_show };

static ssize_t debugfs_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return by_debugfs; // RACE!
}
static const struct file_operations debugfs_fops = { .owner = THIS_MODULE, .read = debugfs_read };

static int devm_read(struct seq_file *m, void *v)
{
	return by_devm; // RACE!
}

/* Opened for each file: the data is the new object, which show finds in the seq_file. */
struct state {
	int early, late;
	struct seq_operations *ops;
};

static int state_show(struct seq_file *m, void *v)
{
	struct state *state = m->private;

	return state->early + state->late; // RACE!
}

static int open_show(struct seq_file *m, void *v)
{
	return by_seq_open; // RACE!
}
static const struct seq_operations open_ops = { .show = open_show };

static int state_open(struct inode *inode, struct file *file)
{
	struct state *state = kzalloc(sizeof(*state), GFP_KERNEL);
	int err;

	if (!state)
		return -ENOMEM;
	by_seq_open = 1; // RACE!
	err = seq_open(file, &open_ops);
	if (err)
		return err;
	state->early = 1; // NORACE
	err = single_open_size(file, state_show, state, 4096);
	state->late = 1; // RACE!
	return err;
}
static const struct proc_ops state_ops = { .proc_open = state_open };

struct data {
	int early, late;
};

static int data_open(struct inode *inode, struct file *file)
{
	struct data *data = pde_data(inode);

	return data->early + data->late; // RACE!
}
static const struct proc_ops data_ops = { .proc_open = data_open };

static int __init demo_init(void)
{
	struct data *data = kzalloc(sizeof(*data), GFP_KERNEL);
	struct data *more = kzalloc(sizeof(*more), GFP_KERNEL);

	if (!data || !more)
		return -ENOMEM;
	by_proc = 1; // NORACE
	proc_create("demo", 0, NULL, &proc_ops);
	by_proc = 2; // RACE!

	by_single = 1; // RACE: show functions are taken as running at any time
	proc_create_single_data("demo", 0, NULL, single_show, NULL);
	by_single = 2; // RACE!

	by_seq = 1; // RACE: show functions are taken as running at any time
	proc_create_seq_private("demo", 0, NULL, &seq_ops, 0, NULL);
	by_seq = 2; // RACE!

	by_debugfs = 1; // NORACE
	debugfs_create_file("demo", 0, NULL, NULL, &debugfs_fops);
	by_debugfs = 2; // RACE!

	by_devm = 1; // RACE: show functions are taken as running at any time
	debugfs_create_devm_seqfile(NULL, "demo", NULL, devm_read);
	by_devm = 2; // RACE!

	proc_create("demo", 0, NULL, &state_ops);
	proc_create("demo", 0, NULL, &data_ops);
	data->early = 1; // NORACE
	proc_create_seq_private("demo", 0, NULL, &seq_ops, 0, data);
	data->late = 1; // RACE!
	more->early = 1; // NORACE
	proc_mkdir_data("demo", 0, NULL, more);
	more->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
