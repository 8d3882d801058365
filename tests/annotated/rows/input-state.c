/* What a device reports is kept in its members, under its event_lock: key, led, snd, sw, rep, the axes and the slots. Code
   that reads these without the lock beside a report is a race. */
// verdict: potential
#include <linux/export.h>
#include <linux/input.h>
#include <linux/module.h>
#include <linux/spinlock.h>

struct input_handle { struct input_dev *dev; };
void input_inject_event(struct input_handle *handle, unsigned int type, unsigned int code, int value);
bool input_mt_report_slot_state(struct input_dev *dev, unsigned int tool, bool active);
void input_mt_sync_frame(struct input_dev *dev);
void input_mt_drop_unused(struct input_dev *dev);
void input_mt_report_pointer_emulation(struct input_dev *dev, bool count);
void input_mt_report_finger_count(struct input_dev *dev, int count);
int input_mt_get_slot_by_key(struct input_dev *dev, int key);

static struct input_dev *a, *b, *slotted, *framed, *fingers, *emulated, *keyed, *dropped;
static struct input_handle *handle;

void demo_report(int value)
{
	input_event(a, 1, 28, value); // RACE!
	input_inject_event(handle, 17, 1, value); // RACE!
	input_mt_report_finger_count(fingers, value); // RACE!
	input_mt_report_pointer_emulation(emulated, value); // RACE!
}
EXPORT_SYMBOL(demo_report);

void demo_touch(int value)
{
	input_mt_report_slot_state(slotted, 1, value); // RACE!
	input_mt_sync_frame(framed); // RACE!
	input_mt_drop_unused(dropped); // RACE!
	input_mt_get_slot_by_key(keyed, value); // RACE!
}
EXPORT_SYMBOL(demo_touch);

int demo_state(int axis)
{
	int n = test_bit(28, a->key) + test_bit(1, handle->dev->led); // RACE!

	n += a->rep[0] + test_bit(1, a->snd) + test_bit(1, a->sw); // RACE!
	n += test_bit(1, fingers->key) + test_bit(1, emulated->key); // RACE!
	n += a->absinfo ? a->absinfo[axis].value : 0; // RACE!
	return n;
}
EXPORT_SYMBOL(demo_state);

int demo_slots(void)
{
	int n = slotted->mt->slots[1].abs[2] + slotted->mt->trkid; // RACE!

	n += framed->mt->frame; // RACE!
	n += dropped->mt->slots[1].frame; // RACE!
	n += keyed->mt->slots[1].key; // RACE!
	return n + keyed->mt->num_slots + slotted->mt->flags; // NORACE
}
EXPORT_SYMBOL(demo_slots);

int demo_locked(int axis)
{
	unsigned long flags;
	int n;

	spin_lock_irqsave(&a->event_lock, flags);
	n = test_bit(28, a->key) + a->rep[1] + a->absinfo[axis].value; // NORACE
	spin_unlock_irqrestore(&a->event_lock, flags);
	return n;
}
EXPORT_SYMBOL(demo_locked);
