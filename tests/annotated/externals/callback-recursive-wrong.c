/* A parameter that is a function gets it through a pointer too, or from who calls itself. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct node { struct node *next; int level; };
typedef void (*fn_t)(struct node *node);
struct ops { int k; void (*walk)(struct node *node, fn_t fn); };
static DEFINE_MUTEX(lock);
static struct node *head;

static void reset(struct node *node) { node->level = 0; } // RACE!

static void walk(struct node *node, fn_t fn)
{
	fn(node);
	if (node->next)
		walk(node->next, fn);
}

static const struct ops ops[] = { { 1, walk } };

void demo_new(void)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return;
	mutex_lock(&lock);
	node->next = head;
	head = node;
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_reset(int n)
{
	struct node *node;

	mutex_lock(&lock);
	node = head;
	mutex_unlock(&lock);
	if (node)
		ops[n].walk(node, reset);
}
EXPORT_SYMBOL(demo_reset);

void demo_set(int n)
{
	mutex_lock(&lock);
	if (head)
		head->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
