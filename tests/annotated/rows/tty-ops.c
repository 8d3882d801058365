/* Terminals and their speed: what the caller owns, what is read and written without a lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/fs.h>

struct serial_struct { int line; };
struct serial_icounter_struct { int cts; };
void tty_termios_encode_baud_rate(struct ktermios *termios, unsigned int in, unsigned int out);
bool tty_termios_hw_change(const struct ktermios *a, const struct ktermios *b);
int tty_insert_flip_string_flags(struct tty_port *port, const u8 *chars, const char *flags, size_t n);
int __tty_insert_flip_char(struct tty_port *port, u8 c, char flag);
int tty_buffer_request_room(struct tty_port *port, size_t n);

static int serials, counts;
static struct ktermios same, changed, encoded;
static u8 chars[2];
static char flags[2];

static int demo_get_serial(struct tty_struct *tty, struct serial_struct *serial)
{
	serial->line = 1; // NORACE
	return serials++; // RACE!
}

static int demo_get_icount(struct tty_struct *tty, struct serial_icounter_struct *count)
{
	count->cts = 1; // NORACE
	return counts++; // RACE!
}

static void demo_set_termios(struct tty_struct *tty, struct ktermios *old)
{
	struct ktermios own = {};

	tty_termios_encode_baud_rate(old, 9600, 9600); // NORACE
	tty_termios_encode_baud_rate(&own, 9600, 9600); // NORACE
	tty_termios_encode_baud_rate(&tty->termios, 9600, 9600); // NORACE
	tty_termios_encode_baud_rate(&encoded, 9600, 9600); // RACE!
	tty_termios_hw_change(&tty->termios, old); // NORACE
	tty_termios_hw_change(&same, &own); // NORACE
	tty_termios_hw_change(&own, &same); // NORACE
	tty_termios_hw_change(&changed, &own); // RACE!
	tty_termios_hw_change(&own, &changed); // RACE!
}

static int demo_write(struct tty_struct *tty, const unsigned char *buf, int n)
{
	u8 own_chars[2] = {};
	char own_flags[2] = {};

	changed.c_ospeed = 1; // RACE!
	chars[0] = flags[0] = 1; // RACE!
	tty_insert_flip_string_flags(tty->port, own_chars, own_flags, 2); // RACE!
	tty_insert_flip_string_flags(tty->port, chars, own_flags, 2); // RACE!
	tty_insert_flip_string_flags(tty->port, own_chars, flags, 2); // RACE!
	return n;
}

static int demo_ioctl(struct tty_struct *tty, unsigned int cmd, unsigned long arg)
{
	spin_lock(&tty->port->lock);
	__tty_insert_flip_char(tty->port, 1, 0); // RACE!
	spin_unlock(&tty->port->lock);
	return 0;
}

static void demo_send_xchar(struct tty_struct *tty, char c)
{
	tty_buffer_request_room(tty->port, 2); // RACE!
}

static const struct tty_operations demo_ops = {
	.write = demo_write,
	.ioctl = demo_ioctl,
	.send_xchar = demo_send_xchar,
	.set_termios = demo_set_termios,
	.get_serial = demo_get_serial,
	.get_icount = demo_get_icount,
};

static struct tty_driver demo_driver = { .ops = &demo_ops };

static int __init demo_init(void)
{
	return tty_register_driver(&demo_driver);
}
module_init(demo_init);
