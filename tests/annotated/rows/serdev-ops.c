/* A serial device: what comes in comes one after the other, in bytes that only this call has; that there is room again may
   be told at the same time. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/device.h>

struct serdev_device { struct device dev; int nr; const struct serdev_device_ops *ops; };
struct serdev_device_ops {
	int (*receive_buf)(struct serdev_device *serdev, const unsigned char *data, size_t n);
	void (*write_wakeup)(struct serdev_device *serdev);
};
static int calls, woken;

static int demo_receive_buf(struct serdev_device *serdev, const unsigned char *data, size_t n)
{
	serdev->nr += data[0]; // NORACE
	calls++; // RACE!
	return n + woken; // RACE!
}

static void demo_write_wakeup(struct serdev_device *serdev)
{
	woken++; // RACE!
}

const struct serdev_device_ops demo_ops = {
	.receive_buf = demo_receive_buf,
	.write_wakeup = demo_write_wakeup,
};
