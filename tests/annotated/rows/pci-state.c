/* Members of a PCI device that the core writes, without a lock that a driver has: its line, its state, and bits that are
   one memory with others. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/pci.h>

struct msix_entry { u32 vector; u16 entry; };
int pci_enable_device_io(struct pci_dev *dev);
int pci_enable_device_mem(struct pci_dev *dev);
int pci_reenable_device(struct pci_dev *dev);
int pcim_enable_device(struct pci_dev *dev);
void pci_clear_master(struct pci_dev *dev);
int pci_set_power_state(struct pci_dev *dev, int state);
int pci_prepare_to_sleep(struct pci_dev *dev);
int pci_back_from_sleep(struct pci_dev *dev);
int pci_save_state(struct pci_dev *dev);
void pci_restore_state(struct pci_dev *dev);
int pci_load_saved_state(struct pci_dev *dev, void *state);
int pci_reset_function(struct pci_dev *dev);
int pci_enable_msi(struct pci_dev *dev);
void pci_disable_msi(struct pci_dev *dev);
void pci_disable_msix(struct pci_dev *dev);
int pci_enable_msix_range(struct pci_dev *dev, struct msix_entry *entries, int min, int max);
int pci_alloc_irq_vectors(struct pci_dev *dev, unsigned int min, unsigned int max, unsigned int flags);
int pci_alloc_irq_vectors_affinity(struct pci_dev *dev, unsigned int min, unsigned int max, unsigned int flags, void *desc);
void pci_free_irq_vectors(struct pci_dev *dev);

static struct pci_dev *lines, *powers, *masters, *saves, *vectors, *set;
static struct msix_entry entries[4];

void demo_act(int what)
{
	switch (what) {
	case 1: pci_enable_device(lines); break; // RACE!
	case 2: pci_enable_device_io(lines); break; // RACE!
	case 3: pci_enable_device_mem(lines); break; // RACE!
	case 4: pci_reenable_device(lines); break; // RACE!
	case 5: pcim_enable_device(lines); break; // RACE!
	case 6: pci_disable_device(masters); break; // RACE!
	case 7: pci_set_master(masters); break; // RACE!
	case 8: pci_clear_master(masters); break; // RACE!
	case 9: pci_set_power_state(powers, 0); break; // RACE!
	case 10: pci_prepare_to_sleep(powers); break; // RACE!
	case 11: pci_back_from_sleep(powers); break; // RACE!
	case 12: pci_save_state(saves); break; // RACE!
	case 13: pci_restore_state(saves); break; // RACE!
	case 14: pci_load_saved_state(saves, NULL); break; // RACE!
	case 15: pci_reset_function(saves); break; // RACE!
	case 16: pci_enable_msi(vectors); break; // RACE!
	case 17: pci_disable_msi(vectors); break; // RACE!
	case 18: pci_disable_msix(vectors); break; // RACE!
	case 19: pci_enable_msix_range(vectors, entries, 1, 4); break; // RACE!
	case 20: pci_alloc_irq_vectors(vectors, 1, 4, 0); break; // RACE!
	case 21: pci_alloc_irq_vectors_affinity(vectors, 1, 4, 0, NULL); break; // RACE!
	case 22: pci_free_irq_vectors(vectors); break; // RACE!
	}
}
EXPORT_SYMBOL(demo_act);

int demo_read(void)
{
	int n = lines->irq; // RACE!

	n += masters->is_busmaster; // RACE!
	n += powers->current_state; // RACE!
	n += saves->saved_config_space[1] + saves->state_saved; // RACE!
	n += vectors->msi_enabled + vectors->msix_enabled; // RACE!
	return n + vectors->irq; // RACE!
}
EXPORT_SYMBOL(demo_read);
