/* The chip of a TPM and its functions, which several modules have. */
#include <linux/device.h>
#include <linux/mutex.h>

struct tpm_chip;
struct tpm_class_ops {
	int (*send)(struct tpm_chip *chip, u8 *buf, size_t len);
	int (*recv)(struct tpm_chip *chip, u8 *buf, size_t len);
	int (*request_locality)(struct tpm_chip *chip, int locality);
};
struct tpm_chip {
	struct device dev;
	const struct tpm_class_ops *ops;
	unsigned int flags;
	unsigned long timeout_a, timeout_b, timeout_c, timeout_d;
	unsigned long duration[4];
	int locality;
	struct mutex tpm_mutex;
};
