/* A callback of a descriptor may come in wherever interrupts are on, several at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/miscdevice.h>
#include <linux/percpu.h>
#include "dma-engines.h"

extern struct dma_async_tx_descriptor *demo_desc(void);
struct counts { int preempted, masked; };
static DEFINE_PER_CPU(struct counts, counts);
static int done;

static void demo_callback(void *param)
{
	unsigned long flags;

	this_cpu_ptr(&counts)->preempted++; // RACE!
	local_irq_save(flags);
	this_cpu_ptr(&counts)->masked++; // NORACE
	local_irq_restore(flags);
}

static void demo_result(void *param, const void *result)
{
	done++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct dma_async_tx_descriptor *desc = demo_desc();

	desc->callback = demo_callback; // RACE!
	desc->tx_submit(desc); // RACE!
	local_bh_disable();
	this_cpu_ptr(&counts)->preempted = 0; // RACE!
	local_bh_enable();
	local_irq_disable();
	this_cpu_ptr(&counts)->masked = 0; // NORACE
	local_irq_enable();
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct dma_async_tx_descriptor *desc = demo_desc();

	desc->callback_result = demo_result; // RACE!
	return desc->tx_submit(desc); // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
