/* Classes of devices and their cores: see lockpair/linux.h. */
#ifndef LOCKPAIR_CLASSES_H
#define LOCKPAIR_CLASSES_H
#include <lockpair/linux.h>

/* --- watchdog ------------------------------------------------------------------------------- */

struct watchdog_device;
struct watchdog_info { u32 options; u32 firmware_version; u8 identity[32]; };
struct watchdog_ops {
	struct module *owner;
	int (*start)(struct watchdog_device *wdd);
	int (*stop)(struct watchdog_device *wdd);
	int (*ping)(struct watchdog_device *wdd);
	unsigned int (*status)(struct watchdog_device *wdd);
	int (*set_timeout)(struct watchdog_device *wdd, unsigned int timeout);
	int (*set_pretimeout)(struct watchdog_device *wdd, unsigned int timeout);
	unsigned int (*get_timeleft)(struct watchdog_device *wdd);
	int (*restart)(struct watchdog_device *wdd, unsigned long action, void *data);
	long (*ioctl)(struct watchdog_device *wdd, unsigned int cmd, unsigned long arg);
};
struct watchdog_device {
	int id;
	struct device *parent;
	const struct watchdog_info *info;
	const struct watchdog_ops *ops;
	unsigned int bootstatus, timeout, pretimeout, min_timeout, max_timeout, min_hw_heartbeat_ms;
	void *driver_data;
	struct notifier_block restart_nb;
	void *wd_data;
	unsigned long status;
};
static inline void watchdog_set_drvdata(struct watchdog_device *wdd, void *data) { wdd->driver_data = data; }
static inline void *watchdog_get_drvdata(struct watchdog_device *wdd) { return wdd->driver_data; }
int watchdog_register_device(struct watchdog_device *wdd);
int devm_watchdog_register_device(struct device *dev, struct watchdog_device *wdd);
void watchdog_unregister_device(struct watchdog_device *wdd);
int watchdog_set_last_hw_keepalive(struct watchdog_device *wdd, unsigned int ms);
int watchdog_init_timeout(struct watchdog_device *wdd, unsigned int timeout, struct device *dev);

/* --- clocks, sensors, random numbers -------------------------------------------------------- */

struct rtc_time { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
struct rtc_wkalrm { unsigned char enabled, pending; struct rtc_time time; };
struct rtc_param { u64 param, uvalue; u32 index; };
struct rtc_class_ops {
	int (*ioctl)(struct device *dev, unsigned int cmd, unsigned long arg);
	int (*read_time)(struct device *dev, struct rtc_time *tm);
	int (*set_time)(struct device *dev, struct rtc_time *tm);
	int (*read_alarm)(struct device *dev, struct rtc_wkalrm *alarm);
	int (*set_alarm)(struct device *dev, struct rtc_wkalrm *alarm);
	int (*proc)(struct device *dev, struct seq_file *seq);
	int (*alarm_irq_enable)(struct device *dev, unsigned int enabled);
	int (*read_offset)(struct device *dev, long *offset);
	int (*set_offset)(struct device *dev, long offset);
	int (*param_get)(struct device *dev, struct rtc_param *param);
	int (*param_set)(struct device *dev, struct rtc_param *param);
};
struct rtc_device { struct device dev; const struct rtc_class_ops *ops; time64_t range_min; u64 range_max; };
struct rtc_device *devm_rtc_allocate_device(struct device *dev);
int __devm_rtc_register_device(struct module *owner, struct rtc_device *rtc);
#define devm_rtc_register_device(rtc) __devm_rtc_register_device(THIS_MODULE, rtc)
struct rtc_device *devm_rtc_device_register(struct device *dev, const char *name,
					    const struct rtc_class_ops *ops, struct module *owner);
void rtc_time64_to_tm(time64_t time, struct rtc_time *tm);
time64_t rtc_tm_to_time64(struct rtc_time *tm);

struct clk_hw;
struct clk;
struct clk_core;
struct clk_duty;
struct clk_ops {
	int (*init)(struct clk_hw *hw);
	int (*prepare)(struct clk_hw *hw);
	void (*unprepare)(struct clk_hw *hw);
	int (*enable)(struct clk_hw *hw);
	void (*disable)(struct clk_hw *hw);
	int (*is_enabled)(struct clk_hw *hw);
	int (*is_prepared)(struct clk_hw *hw);
	unsigned long (*recalc_rate)(struct clk_hw *hw, unsigned long parent_rate);
	long (*round_rate)(struct clk_hw *hw, unsigned long rate, unsigned long *parent_rate);
	int (*set_rate)(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate);
	unsigned char (*get_parent)(struct clk_hw *hw);
	unsigned long (*recalc_accuracy)(struct clk_hw *hw, unsigned long parent_accuracy);
	int (*get_phase)(struct clk_hw *hw);
	int (*get_duty_cycle)(struct clk_hw *hw, struct clk_duty *duty);
};
struct clk_init_data { const char *name; const struct clk_ops *ops; };
struct clk_hw { struct clk_core *core; struct clk *clk; const struct clk_init_data *init; };
int devm_clk_hw_register(struct device *dev, struct clk_hw *hw);
int clk_hw_register(struct device *dev, struct clk_hw *hw);
bool clk_hw_is_prepared(const struct clk_hw *hw);
struct clk *devm_clk_register(struct device *dev, struct clk_hw *hw);

enum hwmon_sensor_types { hwmon_chip, hwmon_temp, hwmon_in };
struct hwmon_ops {
	umode_t (*is_visible)(const void *data, enum hwmon_sensor_types type, u32 attr, int channel);
	int (*read)(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *val);
	int (*read_string)(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, const char **str);
	int (*write)(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long val);
};
struct hwmon_chip_info { const struct hwmon_ops *ops; const void *info; };
struct device *hwmon_device_register_with_info(struct device *dev, const char *name, void *drvdata,
					       const struct hwmon_chip_info *info, const void *groups);
struct device *devm_hwmon_device_register_with_groups(struct device *dev, const char *name, void *drvdata, const struct attribute_group **groups);
struct device *devm_hwmon_device_register_with_info(struct device *dev, const char *name, void *drvdata,
						    const struct hwmon_chip_info *info, const void *groups);

struct hwrng {
	const char *name;
	int (*init)(struct hwrng *rng);
	void (*cleanup)(struct hwrng *rng);
	int (*data_present)(struct hwrng *rng, int wait);
	int (*data_read)(struct hwrng *rng, u32 *data);
	int (*read)(struct hwrng *rng, void *data, size_t max, bool wait);
	unsigned long priv;
};
int hwrng_register(struct hwrng *rng);
void hwrng_unregister(struct hwrng *rng);

struct thermal_cooling_device { void *devdata; unsigned long max_state; };
struct thermal_cooling_device_ops {
	int (*get_max_state)(struct thermal_cooling_device *cdev, unsigned long *state);
	int (*get_cur_state)(struct thermal_cooling_device *cdev, unsigned long *state);
	int (*set_cur_state)(struct thermal_cooling_device *cdev, unsigned long state);
};
struct thermal_cooling_device *thermal_cooling_device_register(const char *type, void *devdata,
							       const struct thermal_cooling_device_ops *ops);

/* --- input and lights ----------------------------------------------------------------------- */

struct input_keymap_entry { u8 flags, len; u16 index; u32 keycode; };
struct ff_device;
struct input_mt_slot { int abs[14]; unsigned int frame, key; };
struct input_mt { int trkid, num_slots, slot; unsigned int flags, frame; int *red; struct input_mt_slot slots[]; };
struct input_absinfo { int value, minimum, maximum, fuzz, flat, resolution; };
struct input_id { u16 bustype, vendor, product, version; };
struct input_value;
struct input_dev {
	const char *name, *phys;
	struct input_id id;
	int rep[2];
	unsigned long propbit[1], evbit[1], keybit[12], relbit[1], absbit[1], mscbit[1], ledbit[1], sndbit[1], ffbit[2],
		      swbit[1];
	unsigned int hint_events_per_packet, max_vals;
	struct input_value *vals;
	unsigned long key[12], led[1], snd[1], sw[1];
	struct ff_device *ff;
	struct input_mt *mt;
	struct input_absinfo *absinfo;
	int (*open)(struct input_dev *dev);
	void (*close)(struct input_dev *dev);
	int (*flush)(struct input_dev *dev, struct file *file);
	int (*event)(struct input_dev *dev, unsigned int type, unsigned int code, int value);
	int (*getkeycode)(struct input_dev *dev, struct input_keymap_entry *entry);
	int (*setkeycode)(struct input_dev *dev, const struct input_keymap_entry *entry, unsigned int *old);
	spinlock_t event_lock;
	struct mutex mutex;
	struct device dev;
};
struct input_dev *input_allocate_device(void);
void input_free_device(struct input_dev *dev);
struct input_dev *devm_input_allocate_device(struct device *dev);
int input_register_device(struct input_dev *dev);
void input_unregister_device(struct input_dev *dev);
void input_event(struct input_dev *dev, unsigned int type, unsigned int code, int value);
static inline void input_report_key(struct input_dev *dev, unsigned int code, int value) { input_event(dev, 1, code, value); }
void input_set_capability(struct input_dev *dev, unsigned int type, unsigned int code);
int input_setup_polling(struct input_dev *dev, void (*poll)(struct input_dev *dev));
static inline void input_set_drvdata(struct input_dev *dev, void *data) { dev->dev.driver_data = data; }
static inline void *input_get_drvdata(struct input_dev *dev) { return dev->dev.driver_data; }

enum led_brightness { LED_OFF, LED_ON };
struct led_classdev {
	const char *name;
	enum led_brightness brightness, max_brightness;
	int flags;
	unsigned long work_flags;
	struct device *dev;
	const char *default_trigger;
	int (*brightness_set_blocking)(struct led_classdev *led, enum led_brightness brightness);
	void (*brightness_set)(struct led_classdev *led, enum led_brightness brightness);
	enum led_brightness (*brightness_get)(struct led_classdev *led);
	int delayed_set_value, new_blink_brightness;
	struct rw_semaphore trigger_lock;
	struct led_trigger *trigger;
	void (*flash_resume)(struct led_classdev *led);
	void *trigger_data;
};
struct led_init_data { void *fwnode; const char *devicename; };
int devm_led_classdev_register(struct device *dev, struct led_classdev *led);
int led_classdev_register_ext(struct device *parent, struct led_classdev *led, struct led_init_data *init);
void led_classdev_unregister(struct led_classdev *led);

/* --- more buses ----------------------------------------------------------------------------- */

struct i2c_device_id { char name[20]; kernel_ulong_t driver_data; };
struct software_node;
struct i2c_board_info {
	char type[20];
	unsigned short addr;
	void *platform_data;
	struct fwnode_handle *fwnode;
	const struct software_node *swnode;
};
struct i2c_adapter { struct device dev; int timeout, retries, nr; const void *lock_ops, *quirks; unsigned long locked_flags; };
struct i2c_client { unsigned short flags, addr; struct i2c_adapter *adapter; struct device dev; };
struct i2c_driver {
	int (*probe_new)(struct i2c_client *client);
	void (*remove)(struct i2c_client *client);
	void (*alert)(struct i2c_client *client, int protocol, unsigned int data);
	int (*detect)(struct i2c_client *client, struct i2c_board_info *info);
	struct device_driver driver;
};
#define I2C_LOCK_SEGMENT 2
void i2c_lock_bus(struct i2c_adapter *adapter, unsigned int flags);
int i2c_trylock_bus(struct i2c_adapter *adapter, unsigned int flags);
void i2c_unlock_bus(struct i2c_adapter *adapter, unsigned int flags);
s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, u8 *values);
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, const u8 *values);
int i2c_register_driver(struct module *owner, struct i2c_driver *driver);
void i2c_del_driver(struct i2c_driver *driver);
#define i2c_add_driver(driver) i2c_register_driver(THIS_MODULE, driver)
#define module_i2c_driver(driver) module_driver(driver, i2c_add_driver, i2c_del_driver)

struct pnp_device_id { u8 id[8]; kernel_ulong_t driver_data; };
struct pnp_dev { struct device dev; unsigned char number; };
struct pnp_driver {
	const char *name;
	int (*probe)(struct pnp_dev *dev, const struct pnp_device_id *id);
	void (*remove)(struct pnp_dev *dev);
	struct device_driver driver;
};
int pnp_register_driver(struct pnp_driver *driver);
void pnp_unregister_driver(struct pnp_driver *driver);
#define module_pnp_driver(driver) module_driver(driver, pnp_register_driver, pnp_unregister_driver)

#endif
