/* What is asked of firmware and of the processor: the answer is written to where the caller says, and nothing else of the
   driver's is touched. */
#include <linux/device.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>

typedef void *acpi_handle;
struct acpi_object { u32 type; u32 length; void *pointer; };
struct acpi_object_list { u32 count; struct acpi_object *pointer; };
struct acpi_table_header { char signature[4]; u32 length; };
struct x86_cpu_id { u16 vendor, family; kernel_ulong_t driver_data; };
struct pci_bus;
struct pci_bus_region { u64 start, end; };
struct timespec64 { s64 tv_sec; long tv_nsec; };
struct clk_bulk_data { const char *id; void *clk; };
struct gpio { unsigned gpio; unsigned long flags; const char *label; };
struct fwnode_handle;
int acpi_check_resource_conflict(const struct resource *res);
int acpi_get_table(char *signature, u32 instance, struct acpi_table_header **table);
int acpi_get_handle(acpi_handle parent, const char *path, acpi_handle *handle);
int acpi_evaluate_integer(acpi_handle handle, char *path, struct acpi_object_list *arguments, unsigned long long *value);
int fwnode_property_match_string(const struct fwnode_handle *node, const char *name, const char *text);
const struct x86_cpu_id *x86_match_cpu(const struct x86_cpu_id *match);
void pcibios_resource_to_bus(struct pci_bus *bus, struct pci_bus_region *region, struct resource *res);
void set_normalized_timespec64(struct timespec64 *ts, s64 sec, s64 nsec);
int devm_clk_bulk_get(struct device *dev, int n, struct clk_bulk_data *clocks);
int gpio_request_array(const struct gpio *array, size_t n);
int sscanf(const char *text, const char *format, ...);

struct demo {
	struct mutex lock;
	int before;
	unsigned long long value;
	int behind;
	struct resource res;
	acpi_handle handle;
	struct acpi_object arguments[1];
	struct pci_bus_region region;
	struct timespec64 time;
	char text[16];
	struct x86_cpu_id cpus[2];
	struct gpio lines[2];
};
static struct demo demo;
static struct pci_bus *demo_bus;
static int number, other;
static struct clk_bulk_data clocks[2];

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct acpi_object_list list = { .count = 1, .pointer = demo.arguments };
	struct acpi_table_header *table;
	unsigned long long own = 0;

	acpi_evaluate_integer(demo.handle, "_TMP", NULL, &own); // RACE!
	acpi_evaluate_integer(NULL, "_AC0", NULL, &demo.value); // RACE!
	acpi_evaluate_integer(NULL, "_AC1", &list, &own); // RACE!
	acpi_get_table("TEST", 0, &table); // NORACE
	mutex_lock(&demo.lock);
	demo.behind++; // NORACE
	demo.before++; // NORACE
	mutex_unlock(&demo.lock);
	return own; // NORACE
}
static DEVICE_ATTR_RO(value);

static ssize_t value_of_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	acpi_get_handle(NULL, "\\_SB", &demo.handle); // RACE!
	mutex_lock(&demo.lock);
	demo.arguments[0].type = count; // RACE!
	demo.res.start = count; // RACE!
	demo.text[0] = buf[0]; // RACE!
	demo.cpus[0].vendor = count; // RACE!
	demo.lines[0].gpio = count; // RACE!
	mutex_unlock(&demo.lock);
	sscanf(buf, "%d %d", &number, &other); // RACE!
	return other; // RACE!
}
static DEVICE_ATTR(value_of, 0200, NULL, value_of_store);

static ssize_t res_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct pci_bus_region own;
	struct timespec64 now;
	int error = acpi_check_resource_conflict(&demo.res); // RACE!
	const struct x86_cpu_id *cpu = x86_match_cpu(demo.cpus); // RACE!

	gpio_request_array(demo.lines, 2); // RACE!
	fwnode_property_match_string(NULL, "name", demo.text); // RACE!
	pcibios_resource_to_bus(demo_bus, &own, &demo.res); // RACE!
	pcibios_resource_to_bus(demo_bus, &demo.region, &demo.res); // RACE!
	set_normalized_timespec64(&now, 1, 2);
	set_normalized_timespec64(&demo.time, 1, 2); // RACE!
	devm_clk_bulk_get(dev, 2, clocks); // RACE!
	return error + now.tv_nsec + own.start + cpu->family; // RACE: which entry it is, the row does not say
}
static DEVICE_ATTR_RO(res);

static int demo_probe(struct platform_device *pdev)
{
	device_create_file(&pdev->dev, &dev_attr_value);
	device_create_file(&pdev->dev, &dev_attr_value_of);
	return device_create_file(&pdev->dev, &dev_attr_res);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
