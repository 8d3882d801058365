/* Who switches a line off and waits for its handlers, but not for their threads, may meet these. */
#include <oracle.h>
static int x;
static int cookie;
static irqreturn_t irq_wakes(int irq, void *of)
{
	return 2;
}
static irqreturn_t irq_thread(int irq, void *of)
{
	x++;
	return 1;
}
READ(drv_read)
{
	disable_hardirq(1);
	x = 1;
	enable_irq(1);
	return 0;
}
static const struct file_operations fops = { .owner = THIS_MODULE, .read = drv_read };
static struct miscdevice misc = { .minor = 1, .name = "drv", .fops = &fops };
int init_module(void)
{
	if (request_threaded_irq(1, irq_wakes, irq_thread, 0, "drv", &cookie))
		return -16;
	return misc_register(&misc);
}
