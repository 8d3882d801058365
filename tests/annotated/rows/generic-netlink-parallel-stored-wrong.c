/* A family that takes messages in parallel: by what is stored in it, in a struct around it. */
// verdict: potential
#include <linux/module.h>
#include <linux/skbuff.h>

struct genl_info { u32 seq; };
struct genl_small_ops { int (*doit)(struct sk_buff *skb, struct genl_info *info); u8 cmd; };
struct genl_family { int id; u8 netnsok : 1, parallel_ops : 1; const struct genl_small_ops *small_ops; };
int genl_register_family(struct genl_family *family);
int genl_unregister_family(const struct genl_family *family);

static int messages;

static int demo_doit(struct sk_buff *skb, struct genl_info *info)
{
	return messages++; // RACE!
}
static const struct genl_small_ops demo_ops[] = { { .doit = demo_doit, .cmd = 1 } };
static struct { int users; struct genl_family family; } demo = { .family = { .small_ops = demo_ops } };

static int __init demo_init(void)
{
	demo.family.parallel_ops = true;
	return genl_register_family(&demo.family);
}
static void __exit demo_exit(void)
{
	genl_unregister_family(&demo.family);
}
module_init(demo_init);
module_exit(demo_exit);
