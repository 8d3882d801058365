/* Functions that are called back in the same thread, with what was handed over: they are no entry points, so what they write
   is guarded as the call is. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/rtc.h>

struct dmi_header { u8 type, length; };
struct acpi_resource { u32 type, length; };
struct acpi_device;
struct acpi_buffer { unsigned long length; void *pointer; };
struct acpi_object_list { u32 count; void *pointer; };
int dmi_walk(void (*decode)(const struct dmi_header *header, void *data), void *data);
bool mc146818_avoid_UIP(void (*callback)(unsigned char seconds, void *param), int timeout, void *param);
int mc146818_get_time(struct rtc_time *time, int timeout);
int mc146818_set_time(struct rtc_time *time);
u32 acpi_walk_resources(void *device, char *name, u32 (*fn)(struct acpi_resource *res, void *context), void *context);
u32 acpi_walk_namespace(u32 type, void *start, u32 depth, u32 (*down)(void *object, u32 level, void *context, void **result),
			u32 (*up)(void *object, u32 level, void *context, void **result), void *context, void **result);
int acpi_dev_get_resources(struct acpi_device *adev, struct list_head *list, int (*fn)(struct acpi_resource *res, void *data),
			   void *data);
int acpi_bus_for_each_dev(int (*fn)(struct device *dev, void *data), void *data);
u32 acpi_evaluate_object(void *handle, char *path, struct acpi_object_list *args, struct acpi_buffer *result);
void *acpi_evaluate_dsm(void *handle, const u8 *guid, u64 revision, u64 function, void *arg);

extern spinlock_t rtc_lock;
static DEFINE_MUTEX(lock);
static struct found { int entries, resources, objects, devices, methods; } found, wrong;
static LIST_HEAD(resources);
static int seconds, slow;
static char answer[16];
static struct acpi_buffer kept = { sizeof(answer), answer };
static struct rtc_time time, other_time;

static void demo_decode(const struct dmi_header *header, void *data)
{
	struct found *f = data;

	f->entries++; // RACE!
}

static u32 demo_resource(struct acpi_resource *res, void *context)
{
	struct found *f = context;

	f->resources++; // RACE!
	return 0;
}

static int demo_preprocess(struct acpi_resource *res, void *context)
{
	struct found *f = context;

	f->methods++; // RACE!
	return 0;
}

static u32 demo_object(void *object, u32 level, void *context, void **result)
{
	struct found *f = context;

	f->objects++; // RACE!
	return 0;
}

static int demo_device(struct device *dev, void *data)
{
	struct found *f = data;

	f->devices++; // RACE!
	return 0;
}

static void demo_seconds(unsigned char now, void *param)
{
	seconds = now; // NORACE
	slow = now; // RACE!
}

/* With the lock: found is guarded. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct rtc_time now;
	u8 *object;

	mutex_lock(&lock);
	dmi_walk(demo_decode, &found);
	acpi_walk_resources(NULL, "_CRS", demo_resource, &found);
	acpi_walk_namespace(0, NULL, 1, demo_object, NULL, &found, NULL);
	acpi_dev_get_resources(NULL, &resources, demo_preprocess, &found); // NORACE
	acpi_bus_for_each_dev(demo_device, &found);
	acpi_evaluate_object(NULL, "_STA", NULL, &kept); // RACE!
	mutex_unlock(&lock);
	mc146818_avoid_UIP(demo_seconds, 10, NULL);
	mc146818_get_time(&now, 10); // NORACE
	mc146818_get_time(&time, 10); // RACE!
	mc146818_set_time(&other_time); // RACE!
	object = acpi_evaluate_dsm(NULL, NULL, 0, 0, NULL);
	if (object)
		object[0] = 1; // NORACE
	return now.tm_sec; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	n += found.entries + found.resources + found.objects; // NORACE
	n += found.devices + found.methods; // NORACE
	n += resources.next == &resources; // NORACE
	mutex_unlock(&lock);
	spin_lock(&rtc_lock);
	n += seconds; // NORACE
	spin_unlock(&rtc_lock);
	n += time.tm_sec; // RACE!
	n += answer[0]; // RACE!
	return n + slow; // RACE!
}

/* Without it: what is found there is not. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	dmi_walk(demo_decode, &wrong);
	acpi_walk_resources(NULL, "_CRS", demo_resource, &wrong);
	acpi_walk_namespace(0, NULL, 1, demo_object, NULL, &wrong, NULL);
	acpi_dev_get_resources(NULL, NULL, demo_preprocess, &wrong);
	acpi_bus_for_each_dev(demo_device, &wrong);
	other_time.tm_sec = arg; // RACE!
	return wrong.entries + wrong.resources + wrong.objects + wrong.devices + wrong.methods; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
