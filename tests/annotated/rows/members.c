/* Functions of other modules that are called through a member: a row says what they do. What this module has in such
   a member is called, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/miscdevice.h>
#include <linux/virtio_config.h>

static struct virtio_device *device;
static DEFINE_MUTEX(lock);
static u32 level, limit, first, last, calls;

static void own_get(struct virtio_device *vdev, unsigned int offset, void *buf, unsigned int len)
{
	calls++; // RACE!
}

static const struct virtio_config_ops own = { .get = own_get };
static struct virtio_device mine = { .config = &own };

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	device->config->generation(device); // NORACE
	mutex_lock(&lock);
	device->config->get(device, 0, &level, sizeof(level)); // NORACE
	device->config->set(device, 0, &limit, sizeof(limit)); // NORACE
	mutex_unlock(&lock);
	device->config->set(device, 0, &last, sizeof(last)); // NORACE
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	device->config->get(device, 4, &first, sizeof(first)); // RACE!
	mutex_lock(&lock);
	limit = level; // NORACE
	mutex_unlock(&lock);
	return n + last; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

struct virtio_device *find_device(void);

static int __init demo_init(void)
{
	device = find_device() ?: &mine;
	return misc_register(&demo_misc);
}
module_init(demo_init);
