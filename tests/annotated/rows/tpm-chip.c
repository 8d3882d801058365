/* A chip of a TPM: who makes it has it alone, who registers it lets the core fill in what it has asked the chip for, and
   the core takes the functions away under a semaphore. The interface of one kind of chip has data in its driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rwsem.h>
#include <linux/slab.h>

struct tpm_chip;
struct tpm_class_ops {
	int (*recv)(struct tpm_chip *chip, unsigned char *buf, size_t len);
};
struct tpm_bios_log { void *bios_event_log, *bios_event_log_end; };
struct tpm_chip {
	struct device dev;
	struct rw_semaphore ops_sem;
	const struct tpm_class_ops *ops;
	struct tpm_bios_log log;
	unsigned int flags, dev_num;
	unsigned long timeout_a, timeout_b, timeout_c, timeout_d;
	bool timeout_adjusted;
	unsigned long duration[4];
	bool duration_adjusted;
	const void *groups[8];
	unsigned int groups_cnt;
	u32 nr_allocated_banks;
	struct { u16 id[3]; } allocated_banks[7];
	u32 nr_commands, *cc_attrs_tbl;
	int locality;
};
struct tpm_chip *tpm_chip_alloc(struct device *parent, const struct tpm_class_ops *ops);
struct tpm_chip *tpmm_chip_alloc(struct device *parent, const struct tpm_class_ops *ops);
int tpm_chip_register(struct tpm_chip *chip);
void tpm_chip_unregister(struct tpm_chip *chip);

struct tpm_tis_data;
struct tpm_tis_phy_ops {
	int (*read_bytes)(struct tpm_tis_data *data, u32 addr, u16 len, u8 *result);
};
struct tpm_tis_data {
	int locality, irq;
	unsigned long flags;
	void *ilb_base_addr;
	u16 clkrun_enabled;
	const struct tpm_tis_phy_ops *phy_ops;
};
int tpm_tis_core_init(struct device *dev, struct tpm_tis_data *data, int irq, const struct tpm_tis_phy_ops *ops,
		      void *handle);
void tpm_tis_remove(struct tpm_chip *chip);

struct demo {
	struct tpm_tis_data data;
	int bytes;
};

static int demo_recv(struct tpm_chip *chip, unsigned char *buf, size_t len)
{
	return chip->timeout_a + // RACE!
	       chip->groups_cnt + // RACE!
	       chip->dev_num; // NORACE
}

static const struct tpm_class_ops demo_ops = { .recv = demo_recv };

static int demo_read_bytes(struct tpm_tis_data *data, u32 addr, u16 len, u8 *result)
{
	struct demo *demo = container_of(data, struct demo, data);

	if (data->clkrun_enabled) // RACE!
		demo->bytes++; // RACE!
	return data->irq; // RACE!
}

static const struct tpm_tis_phy_ops demo_phy_ops = { .read_bytes = demo_read_bytes };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct tpm_chip *chip = tpm_chip_alloc(&pdev->dev, &demo_ops);

	if (!demo || IS_ERR(chip))
		return -ENOMEM;
	chip->flags = 1; // NORACE
	chip->dev_num = 1; // NORACE
	tpm_chip_register(chip); // RACE!
	chip = tpmm_chip_alloc(&pdev->dev, &demo_ops); // NORACE
	if (IS_ERR(chip))
		return -ENOMEM;
	return tpm_tis_core_init(&pdev->dev, &demo->data, 0, &demo_phy_ops, NULL); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct tpm_chip *chip = dev_get_drvdata(&pdev->dev); // NORACE

	tpm_tis_remove(chip); // RACE!
	tpm_chip_unregister(chip); // RACE!
	return chip->flags; // RACE!
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
