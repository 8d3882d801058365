/* Who owns the count says so in a flag, which somebody asks without the lock. What a function without a row does to it nobody knows. */
// verdict: potential
// assume: unknown-external: demo_notify
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static bool busy;
static int count;
static struct demo {
	int told, heard;
} notes;

void demo_notify(struct demo *notes);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (busy) {
		mutex_unlock(&lock);
		return -EBUSY;
	}
	busy = true; // RACE!
	mutex_unlock(&lock);
	count++; // NORACE
	mutex_lock(&lock);
	busy = false; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	return busy; // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return notes.told + notes.heard; // RACE: the function reads and writes what it is given
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	demo_notify(&notes); // RACE: as above
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.llseek = demo_llseek,
	.read = demo_read,
	.write = demo_write,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
