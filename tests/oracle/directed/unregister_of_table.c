/* misc_deregister does not wait for an open that runs (rule 5). */
#include <oracle.h>

static int g;
OPEN(o)
{
	g++;
	return 0;
}
static const struct miscdevice misc;
IOCTL(i)
{
	misc_deregister((struct miscdevice *)&misc);
	g = 1;
	return 0;
}
static const struct file_operations fops = { .owner = THIS_MODULE, .open = o, .unlocked_ioctl = i };
static const struct miscdevice misc = { .minor = 1, .name = "drv", .fops = &fops };
int init_module(void)
{
	return misc_register((struct miscdevice *)&misc);
}
