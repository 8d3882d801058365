// verdict: potential
/* NFC: new targets end the old ones, under the device's lock: who looks at them without it has what has ended, as drivers/nfc/pn533/pn533.c:1338. A device
   that is freed must not be in use, as in the work of pn533.c:2864. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct nfc_target { unsigned int idx; };
struct nfc_dev { struct device dev; struct nfc_target *targets; int n_targets; };
int nfc_targets_found(struct nfc_dev *dev, struct nfc_target *targets, int n);
void nfc_free_device(struct nfc_dev *dev);
void device_lock(struct device *dev);
void device_unlock(struct device *dev);

static struct nfc_dev demo;
static struct nfc_dev *made;
static DEFINE_MUTEX(ending);

void demo_found(void)
{
	struct nfc_target target = { 1 };

	nfc_targets_found(&demo, &target, 1); // RACE!
}
EXPORT_SYMBOL(demo_found);

bool demo_any(void)
{
	return demo.targets; // RACE!
}
EXPORT_SYMBOL(demo_any);

bool demo_locked(void)
{
	bool any;

	device_lock(&demo.dev);
	any = demo.targets; // NORACE
	device_unlock(&demo.dev);
	return any;
}
EXPORT_SYMBOL(demo_locked);

void demo_end(void)
{
	mutex_lock(&ending);
	nfc_free_device(made); // RACE!
	mutex_unlock(&ending);
}
EXPORT_SYMBOL(demo_end);

int demo_later(void)
{
	return made->n_targets; // RACE!
}
EXPORT_SYMBOL(demo_later);

void demo_made(struct nfc_dev *dev)
{
	made = dev; // RACE: exported functions may run at any time
}
EXPORT_SYMBOL(demo_made);
MODULE_LICENSE("GPL");
