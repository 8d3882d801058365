/* Serial ports: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/tty.h>

struct console { char name[16]; short flags, index; int cflag; unsigned int ispeed, ospeed; };
struct circ_buf { char *buf; int head, tail; };
struct uart_port;
struct uart_icount { u32 cts, dsr, rng, dcd, rx, tx; };
struct serial_rs485 { u32 flags, delay; };
struct uart_state { struct tty_port port; int pm_state; struct circ_buf xmit; struct uart_port *uart_port; };
struct uart_driver { const char *driver_name, *dev_name; int nr; struct console *cons; struct uart_state *state; void *tty_driver; };
struct uart_ops {
	unsigned int (*tx_empty)(struct uart_port *port);
	void (*set_mctrl)(struct uart_port *port, unsigned int mctrl);
	unsigned int (*get_mctrl)(struct uart_port *port);
	void (*stop_tx)(struct uart_port *port);
	void (*start_tx)(struct uart_port *port);
	void (*stop_rx)(struct uart_port *port);
	void (*start_rx)(struct uart_port *port);
	int (*startup)(struct uart_port *port);
	void (*shutdown)(struct uart_port *port);
	void (*set_termios)(struct uart_port *port, struct ktermios *new, const struct ktermios *old);
	void (*pm)(struct uart_port *port, unsigned int state, unsigned int oldstate);
	void (*release_port)(struct uart_port *port);
};
struct uart_port {
	spinlock_t lock;
	unsigned long iobase;
	void *membase;
	unsigned int (*serial_in)(struct uart_port *port, int offset);
	void (*serial_out)(struct uart_port *port, int offset, int value);
	int (*handle_irq)(struct uart_port *port);
	void (*handle_break)(struct uart_port *port);
	int (*rs485_config)(struct uart_port *port, struct ktermios *termios, struct serial_rs485 *rs485);
	unsigned int irq, uartclk, fifosize;
	unsigned char x_char, regshift, iotype;
	struct uart_state *state;
	struct uart_icount icount;
	struct console *cons;
	u64 flags;
	u32 status;
	int hw_stopped;
	unsigned int mctrl, frame_time, type;
	const struct uart_ops *ops;
	unsigned int line;
	struct device *dev;
	unsigned long sysrq;
	unsigned int sysrq_ch;
	unsigned char has_sysrq, sysrq_seq, hub6, suspended;
	unsigned long mapbase;
	unsigned int minor;
	const void *attr_group;
	const char *name;
	const void **tty_groups;
	struct serial_rs485 rs485, rs485_supported;
	void *rs485_term_gpio, *private_data;
};
void uart_handle_dcd_change(struct uart_port *port, bool active);
void uart_handle_cts_change(struct uart_port *port, bool active);
bool uart_try_toggle_sysrq(struct uart_port *port, unsigned int ch);
void uart_xchar_out(struct uart_port *port, int offset);
int uart_suspend_port(struct uart_driver *drv, struct uart_port *port);
int uart_resume_port(struct uart_driver *drv, struct uart_port *port);
void uart_remove_one_port(struct uart_driver *drv, struct uart_port *port);
void uart_unregister_driver(struct uart_driver *drv);
int uart_register_driver(struct uart_driver *drv);
int uart_add_one_port(struct uart_driver *drv, struct uart_port *port);
void handle_sysrq(int key);
struct uart_8250_dma { unsigned int rx_size; int rx_running; };
struct uart_8250_port { struct uart_port port; unsigned char ier; struct uart_8250_dma *dma; };
int serial8250_register_8250_port(const struct uart_8250_port *up);
