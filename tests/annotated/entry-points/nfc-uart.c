/* An NCI controller behind a terminal: transmission from one work item, reception under rx_lock. */
// verdict: potential
#include <linux/module.h>
#include <net/nfc/nci_core.h>

static int demo_open(struct nci_uart *nu)
{
	return 0;
}

static void demo_close(struct nci_uart *nu)
{
}

static int demo_recv(struct nci_uart *nu, struct sk_buff *skb)
{
	nu->received++; // NORACE
	return 0;
}

static int started;

static void demo_tx_start(struct nci_uart *nu)
{
	nu->baudrate = 1; // NORACE
	started = 1; // RACE!
}

static void demo_tx_done(struct nci_uart *nu)
{
	nu->baudrate = 0; // NORACE
}

static struct nci_uart demo_uart = {
	.ops = {
		.open = demo_open,
		.close = demo_close,
		.recv = demo_recv,
		.tx_start = demo_tx_start,
		.tx_done = demo_tx_done,
	},
};

static int __init demo_init(void)
{
	return nci_uart_register(&demo_uart);
}
module_init(demo_init);
