/* The functions of an AB8500 core, by which its clients call. */
#include <linux/device.h>

struct abx500_ops {
	int (*get_chip_id)(struct device *dev);
	int (*get_register)(struct device *dev, u8 bank, u8 reg, u8 *value);
	int (*set_register)(struct device *dev, u8 bank, u8 reg, u8 value);
	int (*get_register_page)(struct device *dev, u8 bank, u8 first, u8 *values, u8 n);
	int (*set_register_page)(struct device *dev, u8 bank, u8 first, u8 *values, u8 n);
	int (*mask_and_set_register)(struct device *dev, u8 bank, u8 reg, u8 mask, u8 value);
	int (*event_registers_startup_state_get)(struct device *dev, u8 *event);
	int (*startup_irq_enabled)(struct device *dev, unsigned int irq);
	void (*dump_all_banks)(struct device *dev);
};
