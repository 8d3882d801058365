/* A source of random numbers: one lock around reading, one around init and cleanup. */
// verdict: potential
#include <linux/module.h>
#include <linux/hw_random.h>

static int reads, inits, ready;

static int demo_read(struct hwrng *rng, void *data, size_t max, bool wait)
{
	*(u8 *)data = reads++; // NORACE
	return ready; // RACE!
}

static int demo_init_rng(struct hwrng *rng)
{
	inits++; // NORACE
	ready = 1; // RACE!
	return 0;
}

static void demo_cleanup(struct hwrng *rng)
{
	inits--; // NORACE
}

static struct hwrng demo_rng = {
	.name = "demo",
	.init = demo_init_rng,
	.cleanup = demo_cleanup,
	.read = demo_read,
};

static int __init demo_init(void)
{
	return hwrng_register(&demo_rng);
}
module_init(demo_init);
