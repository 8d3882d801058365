/* Opening and closing an input device exclude each other; events come under another lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>

static int demo_open(struct input_dev *input)
{
	input->evbit[0]++; // NORACE
	input->keybit[1] = 0; // RACE!
	return 0;
}

static void demo_close(struct input_dev *input)
{
	input->evbit[0]--; // NORACE
	spin_lock_irq(&input->event_lock);
	input->keybit[0] = 0; // NORACE
	spin_unlock_irq(&input->event_lock);
}

static int demo_event(struct input_dev *input, unsigned int type, unsigned int code, int value)
{
	input->keybit[0] = value; // NORACE
	input->keybit[1] = value; // RACE!
	return 0;
}

static int demo_flush(struct input_dev *input, struct file *file)
{
	input->evbit[0] = 0; // NORACE
	input->keybit[1] = 1; // RACE!
	return 0;
}

static int demo_getkeycode(struct input_dev *input, struct input_keymap_entry *entry)
{
	return input->keybit[0]; // NORACE
}

static int demo_setkeycode(struct input_dev *input, const struct input_keymap_entry *entry, unsigned int *old)
{
	input->keybit[0] = 1; // NORACE
	return input->keybit[1]; // RACE!
}

static int __init demo_init(void)
{
	struct input_dev *input = input_allocate_device();

	if (!input)
		return -ENOMEM;
	input->open = demo_open;
	input->close = demo_close;
	input->event = demo_event;
	input->flush = demo_flush;
	input->getkeycode = demo_getkeycode;
	input->setkeycode = demo_setkeycode;
	input_set_capability(input, 1, 1); // NORACE
	input->evbit[0] = 1; // NORACE
	return input_register_device(input);
}
module_init(demo_init);
