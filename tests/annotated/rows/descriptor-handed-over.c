/* A row by hand says nothing of the descriptor that is handed over: that it is the call's own is inferred. */
// verdict: race-free
#include <linux/hid.h>
#include <linux/module.h>

static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size)
{
	if (*size > 12 && buf[11] == 0x15)
		buf[11] = 0x25; // NORACE
	*size -= 1; // NORACE
	return buf;
}

static struct hid_driver demo_driver = { .name = "demo", .report_fixup = demo_fixup };
module_hid_driver(demo_driver);
MODULE_LICENSE("GPL");
