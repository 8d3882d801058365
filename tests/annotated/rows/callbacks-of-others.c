/* Functions that other modules, other CPUs and the firmware call later, with what was handed over. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/input.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/parport.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct pcf50633;
struct ad714x_chip;
struct key_entry { int type; u32 code; };
int smp_call_on_cpu(unsigned int cpu, int (*func)(void *data), void *data, bool phys);
int stop_machine(int (*func)(void *data), void *data, const void *cpus);
int pcf50633_register_irq(struct pcf50633 *chip, int irq, void (*handler)(int irq, void *data), void *data);
u32 acpi_install_address_space_handler(void *device, u8 space, u32 (*handler)(u32 function, u64 address, u32 bits, u64 *value,
				       void *context, void *region), u32 (*setup)(void *region, u32 function, void *context,
				       void **result), void *context);
int pn544_hci_probe(void *phy, const void *phy_ops, char *link, int headroom, int tailroom, int payload,
		    int (*fw_download)(void *phy, const char *name, u8 lib), void **controller);
struct ad714x_chip *ad714x_probe(struct device *dev, u16 bus, int irq,
				 int (*read)(struct ad714x_chip *chip, unsigned short reg, unsigned short *data, size_t n),
				 int (*write)(struct ad714x_chip *chip, unsigned short reg, unsigned short data));
int sparse_keymap_setup(struct input_dev *dev, const struct key_entry *entries, int (*setup)(struct input_dev *, struct key_entry *));

struct demo { struct mutex lock; int guarded, called, stopped, events, spaces, setups, loads; };

static int reads, writes, keys, own;
static struct demo demo;

static int demo_call(void *data)
{
	struct demo *d = data;

	mutex_lock(&d->lock);
	d->guarded++; // NORACE
	mutex_unlock(&d->lock);
	own = 1; // NORACE
	return d->called++; // RACE!
}

static int demo_stop(void *data)
{
	struct demo *d = data;

	return d->stopped++; // RACE!
}

static void demo_event(int irq, void *data)
{
	struct demo *d = data;

	mutex_lock(&d->lock);
	d->guarded++; // NORACE
	mutex_unlock(&d->lock);
	d->events++; // RACE!
	d->events += d->called; // RACE!
}

static u32 demo_space(u32 function, u64 address, u32 bits, u64 *value, void *context, void *region)
{
	struct demo *d = context;

	return d->spaces++; // RACE!
}

static u32 demo_space_setup(void *region, u32 function, void *context, void **result)
{
	struct demo *d = context;

	return d->setups++; // RACE!
}

static int demo_load(void *phy, const char *name, u8 lib)
{
	struct demo *d = phy;

	return d->loads++; // RACE!
}

static int demo_read(struct ad714x_chip *chip, unsigned short reg, unsigned short *data, size_t n)
{
	return reads++; // RACE!
}

static int demo_write(struct ad714x_chip *chip, unsigned short reg, unsigned short data)
{
	return writes++; // RACE!
}

static int demo_key(struct input_dev *dev, struct key_entry *entry)
{
	keys++; // NORACE
	return 0;
}

static irqreturn_t demo_port_irq(int irq, void *data)
{
	struct pardevice *device = data;

	device->irq_func(device); // NORACE
	return IRQ_HANDLED;
}

static int __init demo_init(void)
{
	static const struct key_entry entries[2];
	static struct pardevice device;
	struct input_dev *input = input_allocate_device();
	void *controller;

	if (!input)
		return -ENOMEM;
	sparse_keymap_setup(input, entries, demo_key); // NORACE
	input->evbit[0] = 0; // NORACE
	if (request_irq(1, demo_port_irq, 0, "demo", &device))
		return -EBUSY;
	smp_call_on_cpu(0, demo_call, &demo, false);
	own = 0; // NORACE
	stop_machine(demo_stop, &demo, NULL);
	pcf50633_register_irq(NULL, 1, demo_event, &demo);
	acpi_install_address_space_handler(NULL, 1, demo_space, demo_space_setup, &demo);
	ad714x_probe(NULL, 1, 1, demo_read, demo_write);
	return pn544_hci_probe(&demo, NULL, "shdlc", 0, 0, 1, demo_load, &controller); // NORACE
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	demo.called = 0; // RACE!
	demo.stopped = 0; // RACE!
	demo.loads = 0; // RACE!
}
module_exit(demo_exit);
