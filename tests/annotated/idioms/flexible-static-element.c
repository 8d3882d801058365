/* Elements of the array at the end of a variable, by pointer and by index, under one lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
struct item { int v, w; };
struct table { int n; struct item p[]; };
static struct table T = {3, {{0}, {7}, {0}}};
static DEFINE_MUTEX(A);
static noinline void use(struct item *t) { mutex_lock(&A); t->v = 1; mutex_unlock(&A); } // NORACE
static int demo_open(struct inode *inode, struct file *file) { file->private_data = &T; return 0; }
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct table *t = file->private_data;
	if (cmd < 3) {
		use(&t->p[cmd]);
	} else {
		mutex_lock(&A);
		T.p[1].v = 2; // NORACE
		mutex_unlock(&A);
	}
	return 0;
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .open = demo_open, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
