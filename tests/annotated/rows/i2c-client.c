// verdict: potential
/* What is asked of a client is asked at its address and with its flags, as often as its adapter says, so who changes these
   beside that races. As drivers/power/supply/sbs-battery.c:280, drivers/i2c/i2c-dev.c:409, 476. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct i2c_adapter { int timeout, retries; };
struct i2c_client { unsigned short flags, addr; char name[20]; struct i2c_adapter *adapter; };
s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, const u8 *values);
int i2c_transfer_buffer_flags(const struct i2c_client *client, char *buf, int count, u16 flags);
int __i2c_transfer(struct i2c_adapter *adapter, void *messages, int n);

static struct i2c_adapter adapter;
static struct i2c_client one = { .adapter = &adapter }, other = { .adapter = &adapter };
static DEFINE_MUTEX(setting);
static DEFINE_MUTEX(lock);

void demo_set(void)
{
	mutex_lock(&setting);
	one.flags |= 4; // RACE!
	one.addr = 0x51; // RACE!
	adapter.retries = 3; // RACE!
	mutex_lock(&lock);
	other.flags |= 4; // NORACE
	mutex_unlock(&lock);
	mutex_unlock(&setting);
}
EXPORT_SYMBOL(demo_set);

int demo_get(void)
{
	static const u8 values[4];
	char own[4];

	i2c_smbus_read_word_data(&one, 3); // RACE!
	i2c_smbus_write_i2c_block_data(&one, 3, 4, values); // RACE!
	i2c_transfer_buffer_flags(&one, own, 4, 1); // RACE!
	return own[0];
}
EXPORT_SYMBOL(demo_get);

int demo_get_other(void)
{
	char own[4];

	mutex_lock(&lock);
	i2c_transfer_buffer_flags(&other, own, 4, 1); // RACE: its adapter
	mutex_unlock(&lock);
	return own[0];
}
EXPORT_SYMBOL(demo_get_other);
MODULE_LICENSE("GPL");
