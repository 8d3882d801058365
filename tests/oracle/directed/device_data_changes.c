/* The data of a device is changed while the device is used. */
#include <oracle.h>

struct data { struct mutex lock; int a; };
static struct data first, second;
static struct device device = { .driver_data = &first };
static void setup(void) {}
static int step(void)
{
	struct data *locked = READ_ONCE(device.driver_data);
	struct data *used;

	mutex_lock(&locked->lock);
	used = READ_ONCE(device.driver_data);
	used->a++;
	mutex_unlock(&locked->lock);
	return 0;
}
READ(r)
{
	return step();
}
WRITE(w)
{
	return step();
}
IOCTL(i)
{
	WRITE_ONCE(device.driver_data, &second);
	return 0;
}
DRIVER(.read = r, .write = w, .unlocked_ioctl = i)
