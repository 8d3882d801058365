/* What the functions of a TPM's chip read and write of it: to send a command changes nothing there. */
// verdict: race-free
#include <linux/module.h>
#include <linux/export.h>
#include "tpm-send.h"

int demo_send(struct tpm_chip *chip)
{
	u8 buf[16] = { 0 };
	int locality, n;

	locality = chip->ops->request_locality(chip, 0); // NORACE
	mutex_lock(&chip->tpm_mutex);
	chip->locality = locality; // NORACE
	n = chip->ops->send(chip, buf, 10); // NORACE
	if (n >= 0)
		n = chip->ops->recv(chip, buf, sizeof(buf)); // NORACE
	mutex_unlock(&chip->tpm_mutex);
	return n;
}
EXPORT_SYMBOL(demo_send);

int demo_flags(struct tpm_chip *chip)
{
	return chip->flags & 2; // NORACE
}
EXPORT_SYMBOL(demo_flags);
