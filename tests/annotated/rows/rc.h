/* Remote controls: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct rc_map_table { u64 scancode; u32 keycode; };
struct rc_map { struct rc_map_table *scan; unsigned int size, len, alloc; int rc_proto; const char *name; spinlock_t lock; };
struct rc_map_list { struct list_head list; struct rc_map map; };
struct rc_scancode_filter { u32 data, mask; };
struct ir_raw_event { u32 duration; u8 duty_cycle; unsigned int pulse:1, timeout:1; };
struct ir_raw_event_ctrl;
struct attribute_group;
struct rc_dev {
	struct device dev;
	const struct attribute_group *sysfs_groups[5];
	const char *device_name, *input_phys;
	struct input_id input_id;
	const char *driver_name, *map_name;
	struct rc_map rc_map;
	struct mutex lock;
	unsigned int minor;
	struct ir_raw_event_ctrl *raw;
	struct input_dev *input_dev;
	int driver_type;
	bool idle;
	u64 allowed_protocols, enabled_protocols;
	u32 scancode_mask;
	void *priv;
	spinlock_t keylock;
	bool keypressed;
	unsigned long keyup_jiffies;
	struct timer_list timer_keyup, timer_repeat;
	u32 last_keycode;
	int last_protocol;
	u64 last_scancode;
	u8 last_toggle;
	u32 timeout, min_timeout, max_timeout, rx_resolution;
	bool registered;
	int (*change_protocol)(struct rc_dev *dev, u64 *protocols);
	int (*open)(struct rc_dev *dev);
	void (*close)(struct rc_dev *dev);
	int (*s_tx_carrier)(struct rc_dev *dev, u32 carrier);
	int (*tx_ir)(struct rc_dev *dev, unsigned int *pulses, unsigned int n);
	void (*s_idle)(struct rc_dev *dev, bool enable);
	int (*s_filter)(struct rc_dev *dev, struct rc_scancode_filter *filter);
	int (*s_wakeup_filter)(struct rc_dev *dev, struct rc_scancode_filter *filter);
	int (*s_timeout)(struct rc_dev *dev, unsigned int timeout);
};
int rc_map_register(struct rc_map_list *map);
void rc_map_unregister(struct rc_map_list *map);
struct rc_dev *rc_allocate_device(int type);
struct rc_dev *devm_rc_allocate_device(struct device *dev, int type);
void rc_free_device(struct rc_dev *dev);
int rc_register_device(struct rc_dev *dev);
int devm_rc_register_device(struct device *parent, struct rc_dev *dev);
void rc_unregister_device(struct rc_dev *dev);
void rc_repeat(struct rc_dev *dev);
void rc_keydown(struct rc_dev *dev, int protocol, u64 scancode, u8 toggle);
void rc_keydown_notimeout(struct rc_dev *dev, int protocol, u64 scancode, u8 toggle);
void rc_keyup(struct rc_dev *dev);
void ir_raw_event_handle(struct rc_dev *dev);
int ir_raw_event_store(struct rc_dev *dev, struct ir_raw_event *event);
int ir_raw_event_store_edge(struct rc_dev *dev, bool pulse);
int ir_raw_event_store_with_filter(struct rc_dev *dev, struct ir_raw_event *event);
int ir_raw_event_store_with_timeout(struct rc_dev *dev, struct ir_raw_event *event);
void ir_raw_event_set_idle(struct rc_dev *dev, bool idle);
