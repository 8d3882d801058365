/* A family that takes messages in parallel: by its first value, and by what is stored in it. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>

struct genl_info { u32 seq, portid; };
struct genl_small_ops { int (*doit)(struct sk_buff *skb, struct genl_info *info); u8 cmd; };
struct genl_ops { int (*doit)(struct sk_buff *skb, struct genl_info *info); u8 cmd; };
struct genl_family { int id; unsigned int mcgrp_offset; u8 netnsok : 1, parallel_ops : 1; const struct genl_ops *ops; const struct genl_small_ops *small_ops; u8 n; };
int genl_register_family(struct genl_family *family);
int genl_unregister_family(const struct genl_family *family);

bool netlink_capable(const struct sk_buff *skb, int capability);
struct sk_buff *__alloc_skb(unsigned int size, gfp_t gfp, int flags, int node);
int netlink_unicast(void *socket, struct sk_buff *skb, u32 port, int wait);

static int messages, loaded, others;

static int demo_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *answer;

	info->seq++; // NORACE
	skb->len++; // NORACE
	if (!netlink_capable(skb, 1)) // NORACE
		return -EPERM;
	answer = __alloc_skb(16, GFP_KERNEL, 0, 0);
	if (answer) {
		answer->len = 4; // NORACE
		netlink_unicast(NULL, answer, info->portid, 0); // NORACE
	}
	messages += loaded; // RACE!
	return others; // RACE!
}

static int demo_other(struct sk_buff *skb, struct genl_info *info)
{
	messages++; // RACE!
	return loaded; // NORACE
}

static const struct genl_small_ops demo_ops[] = { { .doit = demo_doit, .cmd = 1 } };
static const struct genl_ops demo_others[] = { { .doit = demo_other, .cmd = 1 } };
static struct genl_family demo_family = { .parallel_ops = true, .small_ops = demo_ops, .n = 1 };
static struct genl_family demo_second = { .ops = demo_others, .n = 1 };

static int __init demo_init(void)
{
	int err;

	loaded = 1; // NORACE
	err = genl_register_family(&demo_second);
	if (!err)
		err = genl_register_family(&demo_family);
	others = 1; // RACE!
	return err;
}

static void __exit demo_exit(void)
{
	others = 0; // RACE!
	genl_unregister_family(&demo_second);
	genl_unregister_family(&demo_family);
	loaded = 0; // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
