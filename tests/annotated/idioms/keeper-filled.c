/* Blocks of unknown length that are copied into one struct change no pointer in another one. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

/* Reads in pieces, as far as the caller says. */
static void board_rom(unsigned char *to, int left)
{
	unsigned char piece[8] = {};

	while (left > 0) {
		int n = left > 8 ? 8 : left;

		memcpy(to, piece, n);
		to += n;
		left -= n;
	}
}

struct board {
	unsigned char serial[16];
	struct board_name {
		unsigned char text[24];
	} name;
};

struct demo {
	struct urb *in;
	struct urb *out;
	struct urb *current_in;
};

static DEFINE_MUTEX(demo_lock);

static void demo_in_done(struct urb *urb)
{
	if (urb->context) // NORACE
		return;
}

static void demo_out_done(struct urb *urb)
{
}

static ssize_t demo_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	mutex_lock(&demo_lock);
	demo->out->context = NULL; // NORACE
	mutex_unlock(&demo_lock);
	return 0;
}
static DEVICE_ATTR_RO(demo);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct board *board;

	if (!demo)
		return -ENOMEM;
	demo->in = usb_alloc_urb(0, GFP_KERNEL);
	demo->out = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->in || !demo->out)
		return -ENOMEM;
	usb_fill_int_urb(demo->in, NULL, 0, NULL, 0, demo_in_done, demo);
	usb_fill_int_urb(demo->out, NULL, 0, NULL, 0, demo_out_done, demo);
	demo->current_in = demo->in;
	board = kzalloc(sizeof(*board), GFP_KERNEL);
	if (!board)
		return -ENOMEM;
	board_rom((unsigned char *)&board->name, sizeof(board->name));
	platform_set_drvdata(pdev, demo);
	usb_submit_urb(demo->in, GFP_KERNEL);
	usb_submit_urb(demo->out, GFP_KERNEL);
	return device_create_file(&pdev->dev, &dev_attr_demo);
}

static int demo_suspend(struct platform_device *pdev, int state)
{
	struct demo *demo = platform_get_drvdata(pdev);

	return demo->current_in->context != NULL; // NORACE
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.suspend = demo_suspend,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
