/* What code outside may do to a struct meets every member of it; what the driver does itself is told all the same. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct di {
	int (*bus_read)(struct di *di);
	int f0;
	int f1;
	int f2;
	int f3;
	int f4;
	int f5;
	int f6;
	int f7;
	int f8;
	int f9;
	int f10;
	int f11;
	int f12;
	int f13;
	int f14;
	int f15;
	int f16;
	int f17;
	int f18;
	int f19;
	int f20;
	int f21;
	int f22;
	int f23;
	int f24;
	int f25;
	int cache;
	struct mutex lock;
};
static struct di di;

void demo_set_bus(int (*bus_read)(struct di *di))
{
	di.bus_read = bus_read; // RACE: what the function outside may do
}
EXPORT_SYMBOL_GPL(demo_set_bus);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int sum = di.bus_read(&di); // RACE: what the function outside may do

	di.cache = sum; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int sum = 0;

	mutex_lock(&di.lock);
	sum += di.f0; // RACE: what the function outside may do
	sum += di.f1; // RACE: what the function outside may do
	sum += di.f2; // RACE: what the function outside may do
	sum += di.f3; // RACE: what the function outside may do
	sum += di.f4; // RACE: what the function outside may do
	sum += di.f5; // RACE: what the function outside may do
	sum += di.f6; // RACE: what the function outside may do
	sum += di.f7; // RACE: what the function outside may do
	sum += di.f8; // RACE: what the function outside may do
	sum += di.f9; // RACE: what the function outside may do
	sum += di.f10; // RACE: what the function outside may do
	sum += di.f11; // RACE: what the function outside may do
	sum += di.f12; // RACE: what the function outside may do
	sum += di.f13; // RACE: what the function outside may do
	sum += di.f14; // RACE: what the function outside may do
	sum += di.f15; // RACE: what the function outside may do
	sum += di.f16; // RACE: what the function outside may do
	sum += di.f17; // RACE: what the function outside may do
	sum += di.f18; // RACE: what the function outside may do
	sum += di.f19; // RACE: what the function outside may do
	sum += di.f20; // RACE: what the function outside may do
	sum += di.f21; // RACE: what the function outside may do
	sum += di.f22; // RACE: what the function outside may do
	sum += di.f23; // RACE: what the function outside may do
	sum += di.f24; // RACE: what the function outside may do
	sum += di.f25; // RACE: what the function outside may do
	sum += di.cache; // RACE!
	mutex_unlock(&di.lock);
	return sum;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	mutex_init(&di.lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
