/* A variable whose struct ends in an array without a length: what its pointers lead to has two locks. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>
struct chan { int v, w; };
struct map { int n; struct chan *ch[]; };
static struct chan c0, c1;
static struct map map = {.n = 2, .ch = {&c0, &c1}};
static DEFINE_MUTEX(A);
static DEFINE_MUTEX(B);
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int i;
	if (cmd) {
		mutex_lock(&A);
		for (i = 0; i < map.n; i++)
			map.ch[i]->v = 0; // RACE!
		mutex_unlock(&A);
	} else {
		mutex_lock(&B);
		c1.v++; // RACE!
		mutex_unlock(&B);
	}
	return 0;
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
