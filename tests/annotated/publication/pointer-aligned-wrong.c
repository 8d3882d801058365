/* The pointer that others get is aligned by the compiler. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>
struct o { int v, w; };
static struct o *_g;
static int demo_open(struct inode *inode, struct file *file)
{
	struct o *p = kzalloc(sizeof(*p), GFP_KERNEL);
	WRITE_ONCE(_g, __builtin_align_down(p, 8));
	p->v = 1; // RACE!
	return 0;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct o *p = READ_ONCE(_g);
	return p ? p->v : 0; // RACE!
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .open = demo_open, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
