/* Stub of the virtio bus. */
#ifndef LOCKPAIR_LINUX_VIRTIO_H
#define LOCKPAIR_LINUX_VIRTIO_H
#include <linux/virtio_config.h>

struct virtio_driver {
	struct device_driver driver;
	int (*validate)(struct virtio_device *dev);
	int (*probe)(struct virtio_device *dev);
	void (*scan)(struct virtio_device *dev);
	void (*remove)(struct virtio_device *dev);
	void (*config_changed)(struct virtio_device *dev);
	int (*freeze)(struct virtio_device *dev);
	int (*restore)(struct virtio_device *dev);
};
int register_virtio_driver(struct virtio_driver *driver);
void unregister_virtio_driver(struct virtio_driver *driver);

#endif
