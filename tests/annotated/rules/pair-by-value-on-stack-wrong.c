/* A struct that a function returns in registers is on the stack, and an interrupt gets its address. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>
#include <linux/interrupt.h>
struct ctx { int *a; int k; };
static int x;
static DEFINE_SPINLOCK(A);
static DEFINE_MUTEX(B);
static struct ctx mk(int *a) { return (struct ctx){a, 1}; }
static irqreturn_t irq(int i, void *p)
{
	struct ctx *c = p;
	spin_lock(&A);
	*c->a = 1; // RACE!
	spin_unlock(&A);
	return IRQ_HANDLED;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ctx c = mk(&x);
	if (request_irq(5, irq, 0, "a", &c))
		return -1;
	mutex_lock(&B);
	x = 2; // RACE!
	mutex_unlock(&B);
	free_irq(5, &c);
	return 0;
}
static const struct file_operations demo_fops = {.owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl};
static struct miscdevice demo_misc = {.minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops};
static int __init demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
