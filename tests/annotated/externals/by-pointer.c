/* A lock is given back through a pointer to the function that does so. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>
static int x;
static DEFINE_MUTEX(A);
struct ctx { struct mutex *m; void (*unlock)(struct mutex *); };
static void done(struct ctx *c) { c->unlock(c->m); }
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ctx c = {&A, mutex_unlock};
	mutex_lock(&A);
	x++; // NORACE
	done(&c);
	return 0;
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
