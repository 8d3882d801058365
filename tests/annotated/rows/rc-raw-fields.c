/* Raw infrared: what each function touches. Only edges and those with a timeout are under a lock of the core's. */
// verdict: potential
#include "rc.h"

static struct rc_dev stored, edged, filtered, timed, idled, handled, twice;
static struct ir_raw_event stored_event, filtered_event, timed_event, twice_event;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	ir_raw_event_store(&stored, &stored_event); // RACE!
	ir_raw_event_store_edge(&edged, true); // RACE!
	ir_raw_event_store_with_filter(&filtered, &filtered_event); // RACE!
	ir_raw_event_store_with_timeout(&timed, &timed_event); // RACE!
	ir_raw_event_set_idle(&idled, true); // RACE!
	ir_raw_event_handle(&handled); // RACE!
	mutex_unlock(&lock);
	ir_raw_event_store_with_timeout(&twice, &twice_event); // NORACE
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	stored.timeout = edged.timeout = timed.timeout = idled.timeout = len; // NORACE
	stored.idle = edged.idle = timed.idle = handled.idle = len; // NORACE
	filtered.timeout = len; // RACE!
	len += filtered.idle; // RACE!
	len += idled.idle; // RACE!
	filtered.s_idle = NULL; // RACE!
	idled.s_idle = NULL; // RACE!
	stored.raw = NULL; // RACE!
	edged.raw = NULL; // RACE!
	filtered.raw = NULL; // RACE!
	timed.raw = NULL; // RACE!
	idled.raw = NULL; // RACE!
	handled.raw = NULL; // RACE!
	stored_event.duration = len; // RACE!
	filtered_event.duration = len; // RACE!
	timed_event.duration = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	ir_raw_event_store(&stored, &twice_event); // RACE!
	ir_raw_event_store(&edged, &twice_event); // RACE!
	ir_raw_event_store(&filtered, &twice_event); // RACE!
	ir_raw_event_store(&timed, &twice_event); // RACE!
	ir_raw_event_store(&idled, &twice_event); // RACE!
	ir_raw_event_store(&handled, &twice_event); // NORACE
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
