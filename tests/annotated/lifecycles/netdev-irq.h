/* What the inputs about the interrupt line of a network device share. */
#pragma once
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>

struct demo {
	int irq, events;
	struct net_device *dev;
};

#define DEMO_DRIVER(probe_function) \
	static struct platform_driver demo_driver = { \
		.probe = probe_function, \
		.driver = { .name = "demo" }, \
	}; \
	module_platform_driver(demo_driver)
