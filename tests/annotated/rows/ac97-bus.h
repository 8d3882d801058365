/* Codecs of AC97 behind a bus. */
#include <linux/device.h>

struct snd_ac97;
struct snd_ac97_bus_ops {
	void (*reset)(struct snd_ac97 *ac97);
	void (*warm_reset)(struct snd_ac97 *ac97);
	void (*write)(struct snd_ac97 *ac97, unsigned short reg, unsigned short value);
	unsigned short (*read)(struct snd_ac97 *ac97, unsigned short reg);
	void (*wait)(struct snd_ac97 *ac97);
	void (*init)(struct snd_ac97 *ac97);
};
struct snd_ac97_bus { const struct snd_ac97_bus_ops *ops; void *private_data; };
struct snd_ac97 {
	void *private_data;
	struct snd_ac97_bus *bus;
	unsigned short num, addr;
	unsigned int id, flags;
	unsigned short regs[128];
	struct device dev;
};
