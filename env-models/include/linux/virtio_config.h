/* Stub: a device whose bus has functions for it. */
#ifndef LOCKPAIR_LINUX_VIRTIO_CONFIG_H
#define LOCKPAIR_LINUX_VIRTIO_CONFIG_H
#include <linux/types.h>
#include <linux/device.h>

struct virtio_device;

struct virtio_config_ops {
	void (*get)(struct virtio_device *vdev, unsigned int offset, void *buf, unsigned int len);
	void (*set)(struct virtio_device *vdev, unsigned int offset, const void *buf, unsigned int len);
	u32 (*generation)(struct virtio_device *vdev);
	bool (*get_shm_region)(struct virtio_device *vdev, void *region, u8 id);
};

struct virtio_device {
	struct device dev;
	const struct virtio_config_ops *config;
	void *priv;
};

#endif
