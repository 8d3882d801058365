/* What the device tree says of a touchscreen is read for each position; parsing it fills it in, and makes the input device's axes. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct touchscreen_properties { unsigned int max_x, max_y; bool invert_x, invert_y, swap_x_y; };
struct input_mt_pos { s16 x, y; };
void touchscreen_parse_properties(struct input_dev *input, bool multitouch, struct touchscreen_properties *properties);
void touchscreen_set_mt_pos(struct input_mt_pos *position, const struct touchscreen_properties *properties, unsigned int x, unsigned int y);
void touchscreen_report_pos(struct input_dev *input, const struct touchscreen_properties *properties, unsigned int x, unsigned int y, bool multitouch);

struct demo {
	struct touchscreen_properties once, asked, reported, fixed;
	struct input_mt_pos position;
	int level;
};

extern struct input_dev *demo_input(void);
static struct demo demo;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct input_dev *input = demo_input();

	mutex_lock(&lock);
	touchscreen_parse_properties(input, true, &demo.once); // RACE!
	touchscreen_parse_properties(input, true, NULL); // RACE!
	touchscreen_set_mt_pos(&demo.position, &demo.asked, 1, 2); // RACE!
	touchscreen_report_pos(input, &demo.reported, 1, 2, true); // RACE!
	touchscreen_report_pos(input, &demo.fixed, 1, 2, true); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct input_dev *input = demo_input();

	mutex_lock(&state_lock);
	demo.level = demo.fixed.max_x; // NORACE
	input->keybit[0] = len; // NORACE
	len += demo.once.invert_x; // RACE!
	demo.asked.swap_x_y = len; // RACE!
	demo.reported.max_y = len; // RACE!
	len += demo.position.y; // RACE!
	input->absbit[0] = len; // RACE!
	if (!input->absinfo) // RACE!
		len = 0;
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
