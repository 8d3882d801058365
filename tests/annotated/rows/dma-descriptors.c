/* A descriptor that was submitted: the engine reads what to call, gives it a cookie, and has what the callback gets. */
// verdict: potential
// assume: outside-callback
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "dma-engines.h"

extern struct dma_async_tx_descriptor *demo_desc(void);
extern struct dma_chan *demo_chan(void);
static int given;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct dma_async_tx_descriptor *desc = demo_desc();

	return desc->tx_submit(desc); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct dma_async_tx_descriptor *desc = demo_desc();

	return desc->cookie + // RACE!
	       desc->flags; // RACE!
}

static void demo_callback(void *param)
{
}

static void demo_result(void *param, const void *result)
{
}

static int demo_mmap(struct file *file, struct vm_area_struct *area)
{
	return demo_chan()->cookie; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct dma_async_tx_descriptor *desc = demo_desc();

	WRITE_ONCE(desc->callback, demo_callback); // RACE!
	WRITE_ONCE(desc->callback_result, demo_result); // RACE!
	WRITE_ONCE(desc->callback_param, &given); // RACE!
	WRITE_ONCE(desc->chan, NULL); // RACE!
	WRITE_ONCE(desc->phys, 0); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.mmap = demo_mmap,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
