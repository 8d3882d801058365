/*
 * A small kernel: how it calls what a driver puts into struct gadget_ops, which says of each member what row is to be
 * inferred (gadget.h).
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include "gadget.h"

/* No other file can fill in such a struct, and a driver may have another one of that name: there is no row. */
struct core_ops { int (*run)(struct gadget *g); };

struct parent { int n; };
struct part { int n; };
struct host { struct mutex lock; };
struct gadget {
	const struct gadget_ops *ops;
	struct mutex lock;
	struct part part;
	struct parent *parent;
	struct host *host;
	spinlock_t fast;
	struct rw_semaphore config;
	struct gadget *next;
	struct result *last;
	int count;
	struct list_head queue;
};

static DEFINE_MUTEX(gadgets);
static struct result *kept_result;

/* Two calls with the lock, one of them through a wrapper of the call. */
static int call_twice(struct gadget *g) { return g->ops->twice(g); }

void gadget_twice(struct gadget *g)
{
	mutex_lock(&g->lock);
	g->ops->twice(g);
	call_twice(g);
	g->ops->always(g);
	mutex_unlock(&g->lock);
}

void core_run(struct gadget *g, const struct core_ops *ops)
{
	mutex_lock(&g->lock);
	ops->run(g);
	mutex_unlock(&g->lock);
}

void gadget_sometimes(struct gadget *g, int locked)
{
	if (locked)
		mutex_lock(&g->lock);
	g->ops->sometimes(g);
	if (locked)
		mutex_unlock(&g->lock);
}

/* The lock of another one. */
void gadget_other(struct gadget *g, struct gadget *h)
{
	mutex_lock(&h->lock);
	g->ops->other(g);
	mutex_unlock(&h->lock);
}

void gadget_global(struct gadget *g)
{
	mutex_lock(&gadgets);
	g->ops->global(1);
	mutex_unlock(&gadgets);
}

void gadget_tried(struct gadget *g)
{
	if (mutex_trylock(&g->lock)) {
		g->ops->tried(g);
		mutex_unlock(&g->lock);
	} else {
		g->ops->untried(g);
	}
}

int gadget_killable(struct gadget *g)
{
	int ret = mutex_lock_interruptible(&g->lock);

	if (ret)
		return ret;
	ret = g->ops->killable(g);
	mutex_unlock(&g->lock);
	return ret;
}

static void lock_gadget(struct gadget *g) { mutex_lock(&g->lock); }
static void unlock_gadget(struct gadget *g) { mutex_unlock(&g->lock); }

static int get_gadget(struct gadget *g, int wanted)
{
	if (!wanted)
		return -1;
	mutex_lock(&g->lock);
	return 0;
}

void gadget_wrapped(struct gadget *g, int wanted)
{
	lock_gadget(g);
	g->ops->wrapped(g);
	unlock_gadget(g);
	if (get_gadget(g, wanted) == 0) {
		g->ops->maybe(g);
		unlock_gadget(g);
	}
	get_gadget(g, wanted);
	g->ops->ignored(g);
}

/* The caller's lock is given back, for good or for a while. */
static void drop(struct gadget *g) { mutex_unlock(&g->lock); }

static void rest(struct gadget *g)
{
	mutex_unlock(&g->lock);
	g->ops->window(g);
	mutex_lock(&g->lock);
}

void gadget_dropped(struct gadget *g)
{
	mutex_lock(&g->lock);
	rest(g);
	g->ops->retaken(g);
	drop(g);
	g->ops->dropped(g);
}

static void by_helper(struct gadget *g)
{
	drop(g);
	g->ops->helped(g);
}

void gadget_helped(struct gadget *g)
{
	mutex_lock(&g->lock);
	by_helper(g);
}

void gadget_paths(struct gadget *g)
{
	mutex_lock(&g->host->lock);
	g->ops->deep(g);
	mutex_unlock(&g->host->lock);
	mutex_lock(&g->lock);
	g->ops->around(&g->part);
	/* Another gadget may have this parent, too. */
	g->ops->parent(g->parent);
	spin_lock(&g->fast);
	g->ops->both(g);
	spin_unlock(&g->fast);
	mutex_unlock(&g->lock);
	down_read(&g->config);
	g->ops->shared(g);
	up_read(&g->config);
}

static int ask(struct gadget *g, struct result *r) { return g->ops->passed(g, r); }

static void keep(struct result *r) { kept_result = r; }

void gadget_memory(struct gadget *g)
{
	struct result result, other, third;
	struct result *fresh = kmalloc(sizeof(*fresh), GFP_KERNEL);
	struct result *known = kmalloc(sizeof(*known), GFP_KERNEL);

	g->ops->stack(g, &result);
	ask(g, &other);
	g->ops->heap(g, fresh);
	g->last = known;
	g->ops->published(g, known);
	keep(&third);
	g->ops->kept(g, &third);
	g->ops->mine(g, g->last);
}

void gadget_loop(struct gadget *g, int n)
{
	while (n--) {
		mutex_lock(&g->lock);
		g->ops->loop(g);
		mutex_unlock(&g->lock);
	}
}

/* After a step the lock is that of the one before. */
void gadget_next(struct gadget *g)
{
	mutex_lock(&g->lock);
	while (g) {
		g->ops->next(g);
		g = g->next;
	}
}

static void again(struct gadget *g, int n)
{
	g->ops->recursive(g);
	if (n)
		again(g, n - 1);
}

void gadget_recursive(struct gadget *g, int n)
{
	mutex_lock(&g->lock);
	again(g, n);
	mutex_unlock(&g->lock);
}

void gadget_elsewhere(struct gadget *g)
{
	mutex_lock(&g->lock);
	g->ops->elsewhere(g);
	mutex_unlock(&g->lock);
}

/* A table of the core's own, in between; and one that is filled by a function. */
struct layer { void (*run)(struct gadget *g); void (*late)(struct gadget *g); };

static void layer_run(struct gadget *g) { g->ops->through(g); }
static void layer_late(struct gadget *g) { g->ops->registered(g); }

struct layer layer = { .run = layer_run };

static void set_late(void (*late)(struct gadget *g)) { layer.late = late; }

void gadget_layers(struct gadget *g)
{
	set_late(layer_late);
	mutex_lock(&g->lock);
	layer.run(g);
	layer.late(g);
	mutex_unlock(&g->lock);
}

/* A function of the table is called by who does not know where it comes from. */
static int perform(struct gadget *g, int (*action)(struct gadget *g)) { return action(g); }

void gadget_leaked(struct gadget *g)
{
	perform(g, g->ops->leaked);
	mutex_lock(&g->lock);
	if (g->ops->leaked)
		g->ops->leaked(g);
	mutex_unlock(&g->lock);
}

/* The caller's lock, and another of its kind, are given back while something is waited for, and taken again. */
static void unlock_two(struct gadget *g, struct gadget *other)
{
	mutex_unlock(&g->lock);
	if (other)
		mutex_unlock(&other->lock);
}

static void lock_two(struct gadget *g, struct gadget *other)
{
	if (other)
		mutex_lock(&other->lock);
	mutex_lock(&g->lock);
}

static void wait(struct gadget *g, struct gadget *other, volatile int *busy)
{
	while (*busy) {
		unlock_two(g, other);
		g->ops->in_wait(g);
		lock_two(g, other);
	}
	g->ops->waited(g);
}

/* Only one way takes it again. */
static void leave(struct gadget *g, struct gadget *other, volatile int *busy)
{
	while (*busy) {
		unlock_two(g, other);
		if (*busy > 1)
			lock_two(g, other);
	}
}

void gadget_wait(struct gadget *g, struct gadget *other, volatile int *busy)
{
	mutex_lock(&g->lock);
	wait(g, other, busy);
	g->ops->after_wait(g);
	leave(g, other, busy);
	g->ops->left(g);
}

void gadget_wait_in(struct gadget *g, volatile int *busy)
{
	mutex_lock(&g->lock);
	while (*busy) {
		rest(g);
		unlock_two(g, NULL);
		lock_two(g, NULL);
	}
	g->ops->after_two(g);
	mutex_unlock(&g->lock);
}

/* Functions that are arguments: of one who calls them at once, or through another. */
typedef int (*action)(struct gadget *g, void *data);

static int iterate(struct gadget *g, void *data, action action) { return action(g, data); }
static int iterate_on(struct gadget *g, void *data, action action) { return iterate(g, data, action); }

static int iterate_unlocked(struct gadget *g, void *data, action action)
{
	int ret;

	mutex_unlock(&g->lock);
	ret = action(g, data);
	mutex_lock(&g->lock);
	return ret;
}

action last_action;

static int iterate_again(struct gadget *g, void *data, action action)
{
	last_action = action;
	return action(g, data);
}

static int iterate_nested(struct gadget *g, void *data, action action, int n)
{
	return n ? iterate_nested(g->next, data, action, n - 1) : action(g, data);
}

static int run_iterated(struct gadget *g, void *data) { return g->ops->iterated(g); }
static int run_passed_on(struct gadget *g, void *data) { return g->ops->passed_on(g); }
static int run_unlocked(struct gadget *g, void *data) { return g->ops->unlocked(g); }
static int run_kept(struct gadget *g, void *data) { return g->ops->kept_callback(g); }
static int run_nested(struct gadget *g, void *data) { return g->ops->nested(g); }

void gadget_iterate(struct gadget *g)
{
	mutex_lock(&g->lock);
	iterate(g, NULL, run_iterated);
	iterate_on(g, NULL, run_passed_on);
	iterate_unlocked(g, NULL, run_unlocked);
	iterate_again(g, NULL, run_kept);
	iterate_nested(g, NULL, run_nested, 3);
	mutex_unlock(&g->lock);
}

/* What is called here may be called elsewhere later. */
static unsigned long last_function;

static int remember(struct gadget *g, int (*fn)(struct gadget *g))
{
	last_function = (unsigned long)fn;
	return fn(g);
}

void gadget_remember(struct gadget *g)
{
	mutex_lock(&g->lock);
	remember(g, g->ops->remembered);
	mutex_unlock(&g->lock);
}

/* The gadget lies in a struct of the caller's. */
struct pass { int n; struct gadget *gadget; };

static int run_behind(struct gadget *g, void *data)
{
	struct pass *pass = data;

	return pass->gadget->ops->behind_data(pass->gadget);
}

static int run_other(struct gadget *g, void *data)
{
	struct pass *pass = data;

	return pass->gadget->ops->behind_other(pass->gadget);
}

static int run_either(struct gadget *g, void *data)
{
	struct pass *pass = data;

	return pass->gadget->ops->behind_either(pass->gadget);
}

void gadget_pass(struct gadget *g, struct gadget *other, int n)
{
	struct pass pass = { .gadget = g };
	struct pass either = { .gadget = g };

	mutex_lock(&g->lock);
	iterate(other, &pass, run_behind);
	pass.gadget = other;
	iterate(other, &pass, run_other);
	if (n)
		either.gadget = other;
	iterate(other, &either, run_either);
	mutex_unlock(&g->lock);
}

/* The member is passed to who calls it. */
void gadget_given(struct gadget *g)
{
	mutex_lock(&g->lock);
	perform(g, g->ops->given);
	mutex_unlock(&g->lock);
}

/* Nobody is seen to call the member, but it is read, and the function that is in it is called with the lock, too. */
struct hook { int (*run)(struct gadget *g); };

static int run_hook(struct gadget *g) { return g->ops->only_read(g); }

struct hook hook = { .run = run_hook };
void *read_hook;

void gadget_hook(struct gadget *g)
{
	read_hook = hook.run;
	mutex_lock(&g->lock);
	run_hook(g);
	mutex_unlock(&g->lock);
}

/* The function is passed on as a number. */
static int run_number(struct gadget *g) { return g->ops->as_number(g); }
unsigned long last_number;

void gadget_number(struct gadget *g)
{
	last_number = (unsigned long)run_number;
	mutex_lock(&g->lock);
	run_number(g);
	mutex_unlock(&g->lock);
}

/* Handlers in a static array; and in one of which the address goes elsewhere. */
typedef int (*handler)(struct gadget *g);

static int handle(struct gadget *g) { return g->ops->handled(g); }
static int show(struct gadget *g) { return g->ops->shown(g); }

static handler handlers[] = { handle, NULL };
static handler shown_handlers[] = { show };
handler *last_handlers;

void gadget_handle(struct gadget *g, int n)
{
	mutex_lock(&g->lock);
	handlers[n](g);
	shown_handlers[n](g);
	mutex_unlock(&g->lock);
	last_handlers = shown_handlers;
}

/* What variants.c defines, too: a weak function does not count, and of two others nobody knows which does. */
__attribute__((weak)) void lock_if_strong(struct mutex *lock) { }
__attribute__((weak)) void lock_if_weak(struct mutex *lock) { mutex_lock(lock); }
void lock_variant(struct mutex *lock) { mutex_lock(lock); }

void gadget_strong(struct gadget *g)
{
	lock_if_strong(&g->lock);
	g->ops->strong(g);
	mutex_unlock(&g->lock);
	lock_if_weak(&g->lock);
	g->ops->weak(g);
	mutex_unlock(&g->lock);
	lock_variant(&g->lock);
	g->ops->variants(g);
}

static struct result *make(void) { return kmalloc(sizeof(struct result), GFP_KERNEL); }

static struct result *make_kept(void)
{
	struct result *result = kmalloc(sizeof(*result), GFP_KERNEL);

	kept_result = result;
	return result;
}

static int fill(struct gadget *g, void *data) { return g->ops->filled(g, data); }

static int find(struct gadget *g, void *data)
{
	g->last = data;
	return 0;
}

void gadget_make(struct gadget *g, struct result *other, int n)
{
	struct result *fresh = kmalloc(sizeof(*fresh), GFP_KERNEL);
	struct result *twice = make();
	struct result result, found;

	/* The first may keep it. */
	g->ops->made_first(g, twice);
	g->ops->made_again(g, twice);
	g->ops->made(g, make());
	g->ops->made_kept(g, make_kept());
	g->last = n ? fresh : other;
	g->ops->one_of(g, fresh);
	iterate(g, &result, fill);
	iterate(g, &found, find);
	g->ops->found(g, &found);
}

/* Which host goes with which gadget: what is known of a part of a gadget leads to the gadget. */
static void with_part(struct part *p, struct gadget *other)
{
	struct gadget *g = (struct gadget *)((char *)p - __builtin_offsetof(struct gadget, part));

	g->ops->hosted_deep(other, g->host);
}

void gadget_hosted(struct gadget *g, struct gadget *other)
{
	g->ops->hosted(g, g->host);
	g->ops->hosted_by(g->host, g);
	g->ops->hosted_or_not(g, g->host);
	g->ops->hosted_or_not(g, other->host);
	g->ops->host_of_other(g, other->host);
	g->ops->counted(g, g->count);
	g->ops->in_it(g, &g->part);
	with_part(&g->next->part, g);
}

/* The gadget has another host when the driver looks. */
void gadget_move(struct gadget *g, struct host *h)
{
	struct host *old = g->host;

	g->host = h;
	g->ops->moved(g, old);
}

static struct gadget *take_next(struct gadget *g)
{
	struct gadget *first = g->next;

	g->next = first->next;
	return first;
}

void gadget_take(struct gadget *g)
{
	g->ops->taken(g, take_next(g));
	g->ops->queued(g, g->queue.next);
}

void gadget_ask_host(struct gadget *g, struct host *h) { g->ops->asked_host(g, h); }

void gadget_asking_host(struct gadget *g) { gadget_ask_host(g, g->host); }

/* A file that is not given calls this one, without the lock. */
void gadget_ask(struct gadget *g) { g->ops->asked(g); }

void gadget_asking(struct gadget *g)
{
	mutex_lock(&g->lock);
	gadget_ask(g);
	mutex_unlock(&g->lock);
}

/* What modules may call. */
#define EXPORT(f) static void *__UNIQUE_ID_addressable_##f __attribute__((used)) = (void *)&f

void msleep(unsigned int msecs);
void gadget_later(void);

int gadget_sleep(struct gadget *g)
{
	msleep(1);
	return g->part.n;
}
EXPORT(gadget_sleep);

int gadget_sleep_later(struct gadget *g)
{
	gadget_later();
	return g->part.n;
}
EXPORT(gadget_sleep_later);

/* That it gives its argument back is in a row by hand, too. */
struct device *get_device(struct device *dev)
{
	return dev;
}
EXPORT(get_device);
