/* Reading has one lock for all generators, starting and stopping another one. */
// verdict: potential
#include <linux/module.h>
#include <linux/hw_random.h>

static int reads, words;

static int demo_start(struct hwrng *rng)
{
	words = 0; // RACE!
	return 0;
}

static int demo_read(struct hwrng *rng, void *data, size_t max, bool wait)
{
	words++; // RACE!
	return reads++; // NORACE
}

static struct hwrng demo_rng = {
	.name = "demo",
	.init = demo_start,
	.read = demo_read,
};

static int __init demo_init(void)
{
	reads = 1; // NORACE
	return hwrng_register(&demo_rng);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	hwrng_unregister(&demo_rng);
	reads = 0; // NORACE
}
module_exit(demo_exit);
