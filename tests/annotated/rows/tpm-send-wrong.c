/* The functions of a TPM's chip wait for so long as it says, and look at its flags: who changes these needs their lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/export.h>
#include "tpm-send.h"

int demo_send(struct tpm_chip *chip)
{
	u8 buf[16] = { 0 };
	int locality, n;

	locality = chip->ops->request_locality(chip, 0); // RACE!
	mutex_lock(&chip->tpm_mutex);
	chip->locality = locality; // NORACE
	n = chip->ops->send(chip, buf, 10); // RACE!
	if (n >= 0)
		n = chip->ops->recv(chip, buf, sizeof(buf)); // RACE!
	mutex_unlock(&chip->tpm_mutex);
	return n;
}
EXPORT_SYMBOL(demo_send);

void demo_set_timeouts(struct tpm_chip *chip)
{
	chip->timeout_a = 750; // RACE!
	mutex_lock(&chip->tpm_mutex);
	chip->timeout_b = 2000; // NORACE
	mutex_unlock(&chip->tpm_mutex);
	chip->timeout_d = 750; // RACE!
	chip->duration[0] = 20; // RACE!
}
EXPORT_SYMBOL(demo_set_timeouts);

void demo_set_flags(struct tpm_chip *chip)
{
	chip->flags |= 2; // RACE!
}
EXPORT_SYMBOL(demo_set_flags);
