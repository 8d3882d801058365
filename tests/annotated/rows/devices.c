/* The device model: functions that are called back in the caller's thread, and what is filled or written. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/pci.h>
#include <linux/usb.h>
#include <linux/regmap.h>

struct pwm_state { u64 period, duty; };
struct pwm_device { int id; struct pwm_state state; };
struct tm_like { int seconds; };
#undef default_llseek
#undef simple_open
void devm_release_action(struct device *dev, void (*action)(void *data), void *data);
struct device *device_find_child(struct device *dev, void *data, int (*match)(struct device *dev, void *data));
int bus_for_each_dev(void *bus, struct device *start, void *data, int (*each)(struct device *dev, void *data));
struct device *class_find_device(void *class, struct device *start, const void *data,
				 int (*match)(struct device *dev, const void *data));
struct device *driver_find_device(void *driver, struct device *start, const void *data,
				  int (*match)(struct device *dev, const void *data));
struct device *bus_find_device(void *bus, struct device *start, const void *data,
			       int (*match)(struct device *dev, const void *data));
int driver_for_each_device(void *driver, struct device *start, void *data, int (*each)(struct device *dev, void *data));
int pwm_apply_state(struct pwm_device *pwm, const struct pwm_state *state);
int of_property_read_string(const void *node, const char *name, const char **out);
int rdmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 *low, u32 *high);
loff_t default_llseek(struct file *file, loff_t offset, int whence);
int simple_open(struct inode *inode, struct file *file);
int simple_attr_open(struct inode *inode, struct file *file, void *get, void *set, const char *format);
ssize_t simple_attr_read(struct file *file, char __user *buf, size_t n, loff_t *pos);
ssize_t seq_read_iter(struct kiocb *iocb, struct iov_iter *to);
int pci_enable_msix_range(struct pci_dev *dev, void *entries, int min, int max);
int pci_bus_read_config_byte(void *bus, unsigned int devfn, int where, u8 *value);
int pci_bus_read_config_word(void *bus, unsigned int devfn, int where, u16 *value);
int pci_bus_read_config_dword(void *bus, unsigned int devfn, int where, u32 *value);
int pcie_capability_read_dword(struct pci_dev *dev, int where, u32 *value);
int i2c_master_recv(const void *client, char *buf, int n);
int i2c_master_send(const void *client, const char *buf, int n);
int usb_find_common_endpoints(void *setting, void **bulk_in, void **bulk_out, void **int_in, void **int_out);
void usb_init_urb(struct urb *urb);
struct usb_device *usb_get_dev(struct usb_device *dev);
int regmap_fields_update_bits_base(void *field, unsigned int id, unsigned int mask, unsigned int value, bool *change,
				   bool async, bool force);
void jiffies_to_timespec64(unsigned long jiffies, void *to);
void time64_to_tm(time64_t seconds, int offset, struct tm_like *to);
int kstrtoul_from_user(const char __user *text, size_t n, unsigned int base, unsigned long *out);
void seq_hex_dump(struct seq_file *m, const char *prefix, int type, int row, int group, const void *data, size_t n, bool ascii);
unsigned long copy_user_generic(void *to, const void *from, unsigned int n);
int dev_err_probe(const struct device *dev, int err, const char *format, ...);
bool __list_add_valid(struct list_head *item, struct list_head *before, struct list_head *after);

/* Elsewhere: any. */
struct usb_device *demo_usb(void);

static int released, matched[2], walked[2];

static void demo_release(void *data)
{
	released++; // RACE!
}

static int demo_match(struct device *dev, void *data)
{
	*(int *)data += 1; // RACE!
	return 0;
}

static int demo_match_const(struct device *dev, const void *data)
{
	return matched[1]++; // RACE!
}

static int demo_walk(struct device *dev, void *data)
{
	*(int *)data += 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int own = 0;

	switch (cmd) {
	case 0:
		devm_release_action(NULL, demo_release, NULL);
		break;
	case 1:
		device_find_child(NULL, &matched[0], demo_match);
		device_find_child(NULL, &own, demo_match); // NORACE
		break;
	case 2:
		class_find_device(NULL, NULL, NULL, demo_match_const);
		driver_find_device(NULL, NULL, NULL, demo_match_const);
		bus_find_device(NULL, NULL, NULL, demo_match_const);
		break;
	case 3:
		bus_for_each_dev(NULL, NULL, &walked[0], demo_walk);
		driver_for_each_device(NULL, NULL, &walked[1], demo_walk);
		driver_for_each_device(NULL, NULL, &own, demo_walk); // NORACE
		break;
	}
	return own; // NORACE
}

static struct pwm_device pwm, other_pwm;
static struct pwm_state state;
static const char *name;
static u32 low, high, config[2];
static u16 config_word;
static u8 config_byte;
static u64 entries[4];
static char in[4], out[4];
static void *endpoints[4];
static struct urb urb;

static int demo_flush(struct file *file, void *id)
{
	static const struct pwm_state same;
	void *own_end;
	u32 own;

	pwm_apply_state(&pwm, &same); // RACE!
	pwm_apply_state(&other_pwm, &state); // RACE!
	of_property_read_string(NULL, "name", &name); // RACE!
	rdmsr_safe_on_cpu(1, 1, &low, &own); // RACE!
	rdmsr_safe_on_cpu(1, 1, &own, &high); // RACE!
	pci_enable_msix_range(NULL, entries, 1, 4); // RACE!
	pci_bus_read_config_byte(NULL, 1, 1, &config_byte); // RACE!
	pci_bus_read_config_word(NULL, 1, 1, &config_word); // RACE!
	pci_bus_read_config_dword(NULL, 1, 1, &config[0]); // RACE!
	pcie_capability_read_dword(NULL, 1, &config[1]); // RACE!
	i2c_master_recv(NULL, in, 4); // RACE!
	i2c_master_send(NULL, out, 4); // RACE!
	usb_find_common_endpoints(NULL, &endpoints[0], &own_end, &own_end, &own_end); // RACE!
	usb_find_common_endpoints(NULL, &own_end, &endpoints[1], &own_end, &own_end); // RACE!
	usb_find_common_endpoints(NULL, &own_end, &own_end, &endpoints[2], &own_end); // RACE!
	usb_find_common_endpoints(NULL, &own_end, &own_end, &own_end, &endpoints[3]); // RACE!
	usb_init_urb(&urb); // RACE!
	return 0;
}

static bool change;
static u64 time[2];
static struct tm_like broken;
static unsigned long number;
static char dumped[2][4], copied[4], copied_to[4];

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	static struct list_head same_list;
	struct usb_device *dev = demo_usb();
	struct list_head item;
	struct tm_like own;
	char bytes[4];

	regmap_fields_update_bits_base(NULL, 1, 1, 1, &change, false, false); // RACE!
	jiffies_to_timespec64(1, time); // RACE!
	time64_to_tm(1, 0, &own); // NORACE
	time64_to_tm(1, 0, &broken); // RACE!
	kstrtoul_from_user(buf, n, 0, &number); // RACE!
	seq_hex_dump(NULL, "", 0, 16, 1, dumped[0], 4, true); // NORACE
	seq_hex_dump(NULL, "", 0, 16, 1, dumped[1], 4, true); // RACE!
	copy_user_generic(bytes, dumped[0], 4); // NORACE
	copy_user_generic(bytes, copied, 4); // RACE!
	copy_user_generic(copied_to, dumped[0], 4); // RACE!
	if (usb_get_dev(dev) != dev || dev_err_probe(NULL, -5, "it") != -5 ||
	    !__list_add_valid(&item, &same_list, &same_list))
		number = 1; // NORACE
	return n;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	state.duty = 1; // RACE!
	out[0] = 1; // RACE!
	dumped[1][0] = 1; // RACE!
	copied[0] = 1; // RACE!
	urb.pipe = 1; // RACE!
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.flush = demo_flush,
	.write = demo_write,
	.read = demo_read,
};

/* Of files: a position or a session. */
static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	return default_llseek(file, offset, whence); // RACE!
}

static int demo_position(struct file *file, struct vm_area_struct *vma)
{
	return file->f_pos; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	return simple_open(inode, file); // NORACE
}

static int demo_later_open(struct file *file, void *id)
{
	simple_open(NULL, file); // RACE!
	return simple_attr_open(NULL, file, NULL, NULL, "%llu"); // RACE!
}

static loff_t position;

static ssize_t demo_attr_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	simple_attr_read(file, buf, n, pos); // NORACE
	return simple_attr_read(file, buf, n, &position); // RACE!
}

static struct kiocb read;
static struct iov_iter read_to;

static ssize_t demo_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	seq_read_iter(iocb, to); // NORACE
	seq_read_iter(&read, to); // RACE!
	return seq_read_iter(iocb, &read_to); // RACE!
}

static const struct file_operations file_fops = {
	.owner = THIS_MODULE,
	.llseek = demo_llseek,
	.mmap = demo_position,
	.open = demo_open,
	.flush = demo_later_open,
	.read = demo_attr_read,
	.read_iter = demo_read_iter,
};

static struct cdev demo_cdev;
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	int err;

	cdev_init(&demo_cdev, &file_fops); // NORACE
	err = cdev_add(&demo_cdev, 1, 1);
	return err ?: misc_register(&demo_misc);
}

/* Files that are open stay, and their owner is the module. */
static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
	cdev_del(&demo_cdev);
}
module_init(demo_init);
module_exit(demo_exit);
