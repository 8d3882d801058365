/* A struct that a function returns in registers goes into an element of an array at the end of a struct. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>
struct pair { int *a, *b; };
struct demo { int n; struct pair p[]; };
static int x, y;
static DEFINE_MUTEX(A);
static DEFINE_MUTEX(B);
static struct pair mk(int *a, int *b) { return (struct pair){a, b}; }
static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *d = kzalloc(sizeof(*d) + 2 * sizeof(d->p[0]), GFP_KERNEL);
	if (!d)
		return -1;
	d->p[1] = mk(&x, &y);
	file->private_data = d;
	return 0;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d = file->private_data;
	if (cmd) { mutex_lock(&A); *d->p[1].a = 1; mutex_unlock(&A); }	/* x */ // RACE!
	else { mutex_lock(&B); x = 2; mutex_unlock(&B); } // RACE!
	return 0;
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .open = demo_open, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
