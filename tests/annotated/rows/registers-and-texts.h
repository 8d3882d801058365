#include <linux/device.h>
#include <linux/mutex.h>

struct page {
	unsigned long flags;
	struct list_head lru;
	int _refcount;
};

struct agp_bridge_data;
struct agp_bridge_driver {
	struct page *(*agp_alloc_page)(struct agp_bridge_data *bridge);
	void (*agp_destroy_page)(struct page *page, int flags);
};
struct agp_bridge_data {
	const struct agp_bridge_driver *driver;
	int current_memory_agp;
	int mode;
};

struct parport;
struct parport_operations {
	size_t (*epp_read_data)(struct parport *port, void *buffer, size_t length, int flags);
	size_t (*epp_read_addr)(struct parport *port, void *buffer, size_t length, int flags);
};
struct parport {
	const struct parport_operations *ops;
	unsigned int modes;
};

struct wm831x {
	struct mutex io_lock;
	struct device *dev;
	void *regmap;
	unsigned int locked:1;
	int irq;
};
void wm831x_reg_lock(struct wm831x *wm831x);
int wm831x_reg_unlock(struct wm831x *wm831x);

const char *dmi_get_system_info(int field);
struct tty_driver;
void tty_unregister_driver(struct tty_driver *driver);
bool __put_devmap_managed_page_refs(struct page *page, int refs);
