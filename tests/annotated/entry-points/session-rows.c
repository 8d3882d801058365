/* Files: what belongs to one open file is prepared by open and ended by release alone; what is shared is not. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/miscdevice.h>

static int all;

static int demo_open(struct inode *inode, struct file *file)
{
	file->f_flags = 1; // NORACE
	all++; // RACE!
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	file->f_flags = 2; // NORACE
	return 0;
}

static int demo_fasync(int fd, struct file *file, int on)
{
	return file->f_flags; // NORACE
}

static __poll_t demo_poll(struct file *file, poll_table *wait)
{
	return file->f_flags; // NORACE
}

static int demo_mmap(struct file *file, struct vm_area_struct *vma)
{
	file->f_pos = 1; // RACE!
	return file->f_flags; // NORACE
}

static ssize_t demo_read_iter(struct kiocb *iocb, struct iov_iter *iter)
{
	iter->count = 0; // NORACE
	iocb->ki_pos = 1; // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
	.fasync = demo_fasync,
	.poll = demo_poll,
	.mmap = demo_mmap,
	.read_iter = demo_read_iter,
};

static int entries;

static int entry_open(struct inode *inode, struct file *file)
{
	file->f_mode = 1; // NORACE
	entries++; // RACE!
	return 0;
}

static int entry_release(struct inode *inode, struct file *file)
{
	file->f_mode = 2; // NORACE
	return 0;
}

static loff_t entry_lseek(struct file *file, loff_t offset, int whence)
{
	return file->f_mode; // NORACE
}

static ssize_t entry_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	*pos += count; // NORACE
	return file->f_mode; // NORACE
}

static const struct proc_ops entry_ops = {
	.proc_open = entry_open,
	.proc_release = entry_release,
	.proc_lseek = entry_lseek,
	.proc_write = entry_write,
};

/* One seq_file: under its mutex. */
struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	int (*show)(struct seq_file *m, void *v);
};
static int shown;

static void *rows_start(struct seq_file *m, loff_t *pos)
{
	m->count++; // NORACE
	return NULL;
}

static void rows_stop(struct seq_file *m, void *v)
{
	m->count--; // NORACE
}

static int rows_show(struct seq_file *m, void *v)
{
	shown++; // RACE!
	return m->count; // NORACE
}

static const struct seq_operations rows_ops = { .start = rows_start, .stop = rows_stop, .show = rows_show };

/* Parameters: under the module's mutex. */
static int parameter;

static int parameter_set(const char *val, const struct kernel_param *kp)
{
	parameter = 1; // NORACE
	return 0;
}

static int parameter_get(char *buffer, const struct kernel_param *kp)
{
	return parameter; // NORACE
}

const struct kernel_param_ops parameter_ops = { .set = parameter_set, .get = parameter_get };

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

int seq_open(struct file *file, const struct seq_operations *ops);
static int rows_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &rows_ops);
}
static const struct proc_ops rows_proc_ops = { .proc_open = rows_open };

static int __init demo_init(void)
{
	proc_create("demo", 0, NULL, &entry_ops);
	proc_create("rows", 0, NULL, &rows_proc_ops);
	return misc_register(&demo_misc);
}
module_init(demo_init);
