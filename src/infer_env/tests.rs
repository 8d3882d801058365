//! Rows for functions, from small C sources.

use super::accesses;
use super::digest::digest;
use super::known;
use super::locks;
use super::program::Program;
use super::rows;
use super::types::Types;
use crate::frontend;
use lockpair_env::{ApplyOptions, Model};

const PRELUDE: &str = "
typedef unsigned long size_t;
struct mutex { int owner; };
void mutex_lock(struct mutex *);
void mutex_unlock(struct mutex *);
int mutex_lock_interruptible(struct mutex *);
void *kmalloc(size_t, unsigned);
void kfree(const void *);
void *memcpy(void *, const void *, size_t);
struct item { struct item *next; long value; };
struct ops { int (*get)(void); };
struct device {
    struct mutex lock; int count; int total; struct item *item; struct device *parent; void *data;
    const struct ops *ops; int table[8];
};
#define EXPORT(f) static void *__UNIQUE_ID_addressable_##f __attribute__((used)) = (void *)&f
";

/// What is inferred of `f`: its effects as XML, or why there is none.
fn infer(source: &str) -> Result<Vec<String>, String> {
    let dir = tempfile::tempdir().expect("a directory for the source");
    let file = dir.path().join("file.c");
    std::fs::write(&file, format!("{PRELUDE}{source}\nEXPORT(f);\n")).expect("the source can be written");
    let primitives = Model::linux_primitives();
    let loaded = frontend::load(&[file], &frontend::Options::default(), &|name| primitives.is_modelled(name))
        .unwrap_or_else(|error| panic!("{error}: {:?}", error.details()));
    let applied = lockpair_env::apply(loaded.module, &primitives, &ApplyOptions::default());
    let mut digest = digest(&applied.module, "file.c");
    let known = known::bodies(applied.module, &Model::linux_by_hand().standing_for_bodies());
    digest.known = super::digest::digest(&known, "file.c").functions;
    let mut types = Types::default();
    types.merge(std::mem::take(&mut digest.types));
    let mut program = Program::link(vec![digest], types);
    let facts = locks::infer(&mut program);
    let summaries = accesses::infer(&program, &facts);
    let mut rows = rows::attempts(&program, &facts, &summaries);
    let (_, row) = rows.pop().expect("one function is exported");
    let row = row.map_err(|why| why.to_string())?;
    let mut model = Model::default();
    model.functions.insert(row.name.clone(), row);
    let text = lockpair_env::write::write(&model);
    assert_eq!(Model::parse(&text, "rows.xml").expect("what is written can be read"), model);
    let effects = text.lines().filter(|line| line.starts_with("    "));
    let plain = |line: &str| {
        line.replace("&gt;", ">").replace(r#" success="always""#, "").replace(r#" mark="plain""#, "")
    };
    Ok(effects.map(|line| plain(line.trim().trim_start_matches('<').trim_end_matches("/>"))).collect())
}

fn check(source: &str, effects: &[&str]) {
    assert_eq!(infer(source), Ok(effects.iter().map(|&e| e.to_owned()).collect()), "{source}");
}

fn none(source: &str, why: &str) {
    let found = infer(source).expect_err(source);
    assert!(found.contains(why), "{source}: {found}");
}

#[test]
fn members_do_what_their_rows_say() {
    let ops = "\n#line 1 \"virtio.h\"\nstruct virtio_device; struct virtio_config_ops { void (*get)(struct virtio_device *, unsigned, void *, unsigned);
        void (*reset)(struct virtio_device *); };
        struct virtio_device { const struct virtio_config_ops *config; int count; };\n#line 1 \"file.c\"\n";
    let get = "void f(struct virtio_device *d, void *to) { d->config->get(d, 0, to, 4); }";
    let row = infer(&format!("{ops}{get}")).expect("what `get` does is known");
    assert!(row.iter().any(|effect| effect.starts_with(r#"write addr="arg1""#)), "{row:?}");
    let reset = "void f(struct virtio_device *d) { d->config->reset(d); }";
    let why = infer(&format!("{ops}{reset}")).expect_err("nothing is said of `reset`");
    assert_eq!(why, "calls through virtio_config_ops.reset");
}

#[test]
fn accesses_have_paths_and_marks() {
    check(
        "void f(struct device *d) { d->count = 1; d->item->value = 2; }",
        &[
            r#"write addr="arg0:device.count" len="4""#,
            r#"read addr="arg0:device.item" len="8""#,
            r#"write addr="arg0:device->item:item.value" len="8""#,
        ],
    );
    check(
        "int f(struct device *d) { return *(volatile int *)&d->count; }",
        &[r#"read addr="arg0:device.count" len="4" mark="volatile""#],
    );
    check(
        "int f(struct device *d) { return __atomic_fetch_add(&d->count, 1, __ATOMIC_SEQ_CST); }",
        &[r#"write addr="arg0:device.count" len="4" mark="seq-cst""#],
    );
}

#[test]
fn accesses_of_callees_are_the_callers() {
    check(
        "__attribute__((noinline)) static void g(int *p) { *p = 1; }
         void f(struct device *d) { g(&d->parent->total); }",
        &[
            r#"read addr="arg0:device.parent" len="8""#,
            r#"write addr="arg0:device->parent:device.total" len="4""#,
        ],
    );
}

#[test]
fn a_pointer_that_a_loop_moves_is_the_argument() {
    check(
        "long f(const char *s) { long n = 0; while (*s++) n++; return n; }",
        &[r#"read addr="arg0" len="any""#],
    );
    check("void f(int *p, long i) { p[i] = 0; }", &[r#"write addr="arg0" len="object""#]);
    check(
        "void f(struct device *d, unsigned i) { d->table[i] = 0; }",
        &[r#"write addr="arg0:device.table" len="any""#],
    );
}

#[test]
fn either_argument_is_both() {
    check(
        "void f(struct device *a, struct device *b, int x) { struct device *d = x ? a : b; d->count = 1; }",
        &[r#"write addr="arg0:device.count" len="4""#, r#"write addr="arg1:device.count" len="4""#],
    );
}

#[test]
fn lengths_are_arguments() {
    check(
        "void f(char *to, const char *from, size_t n) { memcpy(to, from, n); }",
        &[r#"publish ptr="arg1""#, r#"read addr="arg1" len="arg2""#, r#"write addr="arg0" len="arg2""#],
    );
}

#[test]
fn locks_are_held_around_accesses() {
    check(
        "void f(struct device *d) { d->total = 0; mutex_lock(&d->lock); d->count++; mutex_unlock(&d->lock); }",
        &[
            r#"write addr="arg0:device.total" len="4""#,
            r#"acquire class="mutex" mode="exclusive" lock="arg0""#,
            r#"write addr="arg0:device.count" len="4""#,
            r#"release class="mutex" mode="exclusive" lock="arg0""#,
        ],
    );
}

#[test]
fn what_is_dropped_and_taken_again_is_not_held_between() {
    check(
        "void f(struct device *d) { mutex_unlock(&d->lock); d->count++; mutex_lock(&d->lock); d->total++; }",
        &[
            r#"release class="mutex" mode="exclusive" lock="arg0""#,
            r#"write addr="arg0:device.count" len="4""#,
            r#"acquire class="mutex" mode="exclusive" lock="arg0""#,
            r#"write addr="arg0:device.total" len="4""#,
        ],
    );
}

#[test]
fn locks_may_be_taken_for_the_caller() {
    check(
        "void f(struct device *d) { mutex_lock(&d->lock); }",
        &[r#"acquire class="mutex" mode="exclusive" lock="arg0""#],
    );
    check(
        "void f(struct device *d) { mutex_unlock(&d->lock); }",
        &[r#"release class="mutex" mode="exclusive" lock="arg0""#],
    );
    check(
        "int f(struct device *d) { if (mutex_lock_interruptible(&d->lock)) return -4; return 0; }",
        &[r#"acquire class="mutex" mode="exclusive" lock="arg0" success="zero""#],
    );
}

#[test]
fn stored_pointers_are_published() {
    check(
        "void f(struct device *d, struct item *i) { d->item = i; }",
        &[r#"publish ptr="arg1""#, r#"write addr="arg0:device.item" len="8""#],
    );
    // Tagged: a number made of it.
    check(
        "void f(unsigned long *to, struct item *i) { *to = (unsigned long)i | 1; }",
        &[r#"publish ptr="arg1""#, r#"write addr="arg0" len="8""#],
    );
}

#[test]
fn a_loop_publishes_before_it_accesses() {
    check(
        "void f(struct device *d, struct item *i, int n) {
             while (n--) { i->value = n; *(struct item *volatile *)&d->item = i; } }",
        &[
            r#"publish ptr="arg1""#,
            r#"write addr="arg1:item.value" len="8""#,
            r#"write addr="arg0:device.item" len="8" mark="volatile""#,
        ],
    );
}

#[test]
fn objects_end_and_are_made() {
    check(
        "void f(struct device *d) { kfree(d->item); }",
        &[r#"read addr="arg0:device.item" len="8""#, r#"free ptr="arg0:device->item""#],
    );
    check(
        "void *f(void) { struct item *i = kmalloc(16, 0); if (i) i->value = 1; return i; }",
        &[r#"alloc size="any" fails="null""#],
    );
    // Somebody else has it, too.
    check(
        "void *f(struct device *d) { struct item *i = kmalloc(16, 0); d->item = i; return i; }",
        &[r#"write addr="arg0:device.item" len="8""#],
    );
}

#[test]
fn results_are_arguments() {
    check("void *f(struct device *d) { return d; }", &[r#"return arg="arg0""#]);
    check("void *f(struct device *d) { return &d->count; }", &[r#"return addr="arg0:device.count""#]);
    check("void *f(struct device *d, int x) { return x ? d : 0; }", &[r#"return into="arg0" fails="null""#]);
    check(
        "void *f(struct device *d) { return d->item; }",
        &[r#"read addr="arg0:device.item" len="8""#, r#"return addr="arg0:device->item""#],
    );
    // The content at the end is another one.
    check(
        "void *f(struct device *d) { void *i = d->item; d->item = 0; return i; }",
        &[r#"write addr="arg0:device.item" len="8""#, r#"publish ptr="arg0:device->item""#],
    );
    check(
        "void *f(struct device *a, struct device *b, int x) { return x ? a : b; }",
        &[r#"publish ptr="arg0""#, r#"publish ptr="arg1""#],
    );
}

#[test]
fn variables_of_the_kernel() {
    check("static int hidden; void f(int x) { hidden += x; }", &[]);
    check(
        "int shared; EXPORT(shared); void f(int x) { shared += x; }",
        &[r#"write addr="global:shared" len="4""#],
    );
    check(
        "static struct device first; void f(struct device *d) { d->parent = &first; first.count++; }",
        &[r#"write addr="arg0:device.parent" len="8""#, r#"write addr="global:first:device.count" len="4""#],
    );
}

#[test]
fn no_row_for_what_is_not_followed() {
    none("void other(void); void f(void) { other(); }", "calls other");
    none("int f(struct device *d) { return d->ops->get(); }", "calls through ops.get");
    none("int f(int (*g)(void)) { return g(); }", "calls through a pointer");
    none("void f(struct item *i) { for (; i; i = i->next) i->value = 0; }", "without a path");
    none(
        "int devres_release(struct device *, void (*)(struct device *, void *), void *, void *);
         static void release(struct device *d, void *data) { d->count = 1; }
         void f(struct device *d) { devres_release(d, release, 0, 0); }",
        "through a pointer in devres_release",
    );
    none("void f(void) { asm volatile(\"frobnicate\"); }", "calls");
    none("void f(struct item *i) { if (i) { i->value = 0; f(i->next); } }", "recursion");
    none("void other(void); void f(int n) { if (n) f(n - 1); else other(); }", "calls other");
    none("void f(struct device *d) { ((struct device *)((char *)d - 16))->count = 1; }", "no name");
    none("void f(void) { for (;;) ; }", "does not return");
    none("int f(int n, ...) { return n; }", "any number");
    none(
        "static struct mutex locks[8]; void f(unsigned long i) { mutex_unlock(&locks[i & 7]); }",
        "gives back locks",
    );
    none(
        "void f(struct device *d) { struct item *i = kmalloc(16, 0); d->item = i; i->value = 1; }",
        "without a path",
    );
}

#[test]
fn no_row_for_pointers_that_were_written_before() {
    let why = "has written before";
    none("void f(struct device *d, struct item *i) { d->item = i; d->item->value = 1; }", why);
    none("void f(struct device *d) { __builtin_memset(d, 0, sizeof(*d)); d->item->value = 1; }", why);
    none(
        "void f(struct device *d, struct item *i, int n) { while (n--) { d->item->value = 1; d->item = i; } }",
        why,
    );
    none(
        "__attribute__((noinline)) static void g(struct device *d, struct item *i) { d->item = i; }
         void f(struct device *d, struct item *i) { g(d, i); d->item->value = 1; }",
        why,
    );
    none(
        "void f(struct device *d, struct device *e)
         { d->parent = e; mutex_unlock(&d->parent->lock); d->count = 1; mutex_lock(&d->parent->lock); }",
        why,
    );
    check(
        "void f(struct device *d, struct item *i) { d->item->value = 1; d->count = 2; d->item = i; }",
        &[
            r#"write addr="arg0:device->item:item.value" len="8""#,
            r#"write addr="arg0:device.count" len="4""#,
            r#"publish ptr="arg1""#,
            r#"write addr="arg0:device.item" len="8""#,
        ],
    );
}

#[test]
fn recursion_is_followed_until_nothing_is_added() {
    check(
        "int f(struct item *i, int n);
         __attribute__((noinline)) static int g(struct item *i, int n) { return n ? f(i, n - 1) + 2 : (int)i->value; }
         int f(struct item *i, int n) { return n > 3 ? g(i, n - 1) * 3 : 0; }",
        &[r#"read addr="arg0:item.value" len="8""#],
    );
    check(
        "void f(struct device *d, int n) { if (n) { d->count = n; f(d, n - 1); } else { d->total = 1; } }",
        &[r#"write addr="arg0:device.total" len="4""#, r#"write addr="arg0:device.count" len="4""#],
    );
    check(
        "struct device *f(struct device *d, int n) { return n ? f(d, n - 1) : d; }",
        &[r#"return arg="arg0""#],
    );
}

const CALLBACKS: &str = "
struct work_struct { long data; void (*func)(struct work_struct *); };
struct workqueue_struct;
typedef int (*handler_t)(int, void *);
_Bool queue_work(struct workqueue_struct *, struct work_struct *);
_Bool schedule_work(struct work_struct *);
_Bool cancel_work_sync(struct work_struct *);
_Bool cancel_work(struct work_struct *);
int request_irq(unsigned, handler_t, unsigned long, const char *, void *);
void other(void);
struct unit { long first; int n; struct work_struct work; struct workqueue_struct *queue; struct unit *peer; };
";

fn check_callbacks(source: &str, effects: &[&str]) {
    check(&format!("{CALLBACKS}{source}"), effects);
}

#[test]
fn registrations_are_those_of_callees() {
    let read = r#"read addr="arg0:unit.work" len="1" mark="volatile""#;
    let work = r#"register class="work" handle="arg0:unit.work""#;
    check_callbacks("void f(struct unit *u) { schedule_work(&u->work); }", &[work, read]);
    check_callbacks(
        "static void g(struct work_struct *w) { schedule_work(w); }
         void f(struct unit *u) { if (u->n) g(&u->work); }",
        &[r#"read addr="arg0:unit.n" len="4""#, work, read],
    );
    check_callbacks(
        "void f(struct unit *u, struct workqueue_struct *q) { queue_work(q, &u->work); }",
        &[
            r#"register class="work" handle="arg0:unit.work" through="arg1""#,
            r#"read addr="arg1" len="1" mark="volatile""#,
            read,
        ],
    );
    check_callbacks(
        "int f(unsigned irq, handler_t handler, void *data)
         { return request_irq(irq, handler, 0, \"\", data); }",
        &[r#"register class="irq" handle="arg2" callback="arg1" argument="1:arg2" through="arg0""#],
    );
}

#[test]
fn what_the_kernel_registers_for_itself_is_known_to_others() {
    check_callbacks(
        "static int own(int irq, void *data) { return 0; }
         int f(unsigned irq, struct unit *u) { return request_irq(irq, own, 0, \"\", u); }",
        &[r#"publish ptr="arg1""#],
    );
    check_callbacks(
        "static int own(int irq, void *data) { return 0; }
         static int g(handler_t handler, unsigned irq, void *data)
         { return request_irq(irq, handler, 0, \"\", data); }
         int f(unsigned irq, struct unit *u) { return g(own, irq, u); }",
        &[r#"publish ptr="arg1""#],
    );
}

#[test]
fn what_may_be_registered_through_two_things_has_no_row() {
    let source = "void f(struct unit *u) { queue_work(u->queue, &u->work); }";
    none(&format!("{CALLBACKS}{source}"), "registers callbacks");
}

#[test]
fn what_is_waited_for_on_all_ways_is_over() {
    let over = r#"unregister class="work" handle="arg0:unit.work" sync="yes""#;
    let used = r#"read addr="arg0:unit.work" len="1" mark="volatile""#;
    check_callbacks(
        "void f(struct unit *u) { cancel_work_sync(&u->work); u->n = 0; }",
        &[used, r#"write addr="arg0:unit.n" len="4""#, over],
    );
    check_callbacks(
        "static void stop(struct work_struct *w) { cancel_work_sync(w); }
         void f(struct unit *u) { stop(&u->work); }",
        &[used, over],
    );
    check_callbacks(
        "void f(struct unit *u) { if (u->n) cancel_work_sync(&u->work); }",
        &[r#"read addr="arg0:unit.n" len="4""#, used],
    );
    check_callbacks("void f(struct unit *u) { cancel_work(&u->work); }", &[used]);
    check_callbacks(
        "void f(struct unit *u) { cancel_work_sync(&u->work); schedule_work(&u->peer->work); }",
        &[
            used,
            r#"read addr="arg0:unit.peer" len="8""#,
            r#"register class="work" handle="arg0:unit->peer:unit.work""#,
            r#"read addr="arg0:unit->peer:unit.work" len="1" mark="volatile""#,
        ],
    );
}
