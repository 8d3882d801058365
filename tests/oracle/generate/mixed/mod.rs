//! Locks of all kinds around all kinds of data.
//!
//! A program has a few objects of one struct, locks of all kinds around and in them, and two to four
//! functions that the kernel calls. Each function is a sequence of *regions*: a lock is taken in some way,
//! members that the program's *discipline* says it protects are accessed in some way, and it is given back in
//! some way. Most programs follow their discipline mostly; without mistakes there would be no races, and with
//! many of them no pair would ever be proved.

mod accesses;
mod regions;

use super::writer::{Rng, Writer};

/// The program of a generator; `deep` ones have much of it in functions that call each other and themselves.
pub fn program(mut rng: Rng, deep: bool) -> String {
    let profile = Profile::new(&mut rng);
    let mut generator = Generator { w: Writer::new(rng), profile, deep, steps: String::new() };
    generator.prelude();
    let prelude = std::mem::take(&mut generator.w.out);
    generator.entry_points();
    prelude + &generator.steps + &generator.w.out
}

/// The kinds of lock.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Mutex,
    Spin,
    Rw,
}

/// A lock, as an expression over the object at hand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct LockExpr {
    kind: Kind,
    /// With `@` for the object.
    text: &'static str,
}

const LOCKS: &[LockExpr] = &[
    LockExpr { kind: Kind::Mutex, text: "&@->lock" },
    LockExpr { kind: Kind::Spin, text: "&@->slock" },
    LockExpr { kind: Kind::Rw, text: "&@->rw" },
    LockExpr { kind: Kind::Mutex, text: "&@->lock" },
    LockExpr { kind: Kind::Mutex, text: "&gm" },
    LockExpr { kind: Kind::Spin, text: "&gs" },
    LockExpr { kind: Kind::Rw, text: "&grw" },
    LockExpr { kind: Kind::Mutex, text: "@->lockp" },
    LockExpr { kind: Kind::Mutex, text: "&@->peer->lock" },
    LockExpr { kind: Kind::Spin, text: "&@->peer->slock" },
    LockExpr { kind: Kind::Mutex, text: "READ_ONCE(@->lockp)" },
];

/// What a lock protects together.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Group {
    A,
    B,
    Bits,
    Inner,
    Union,
    Chars,
    Array,
    Global,
    Elements,
}

const GROUPS: &[Group] = &[
    Group::A,
    Group::A,
    Group::B,
    Group::Bits,
    Group::Inner,
    Group::Union,
    Group::Chars,
    Group::Array,
    Group::Global,
    Group::Elements,
];

/// How functions come to their object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reach {
    /// A global.
    Static,
    /// The file's own, made in open.
    Own,
    /// The file's, one of two globals.
    Shared,
    /// A global pointer that open or init sets.
    Pointer,
}

/// What all functions of a program have in common.
struct Profile {
    reach: Reach,
    locks: Vec<LockExpr>,
    /// The groups with the lock of each.
    groups: Vec<(Group, usize)>,
    /// The chance in percent that an access follows the discipline.
    discipline: u64,
    /// Whether some function changes pointers that others follow.
    rewires: bool,
    /// Whether lock pointers and peers lead to the same object for all.
    one_peer: bool,
    /// Whether the objects' pointers are there from the beginning.
    wired: bool,
    irq: bool,
    timer: bool,
    marked: bool,
}

impl Profile {
    fn new(rng: &mut Rng) -> Profile {
        let reach = rng.pick(&[Reach::Static, Reach::Own, Reach::Own, Reach::Shared, Reach::Pointer]);
        let locks: Vec<LockExpr> = (0..1 + rng.below(2)).map(|_| rng.pick(LOCKS)).collect();
        let count = locks.len() as u64;
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let group = rng.pick(GROUPS);
            if !groups.iter().any(|(g, _)| *g == group) {
                groups.push((group, rng.below(count) as usize));
            }
        }
        let mut profile = Profile {
            reach,
            locks,
            groups,
            discipline: rng.pick(&[100, 100, 95, 85, 75, 60]),
            wired: rng.chance(65),
            rewires: rng.chance(15),
            one_peer: rng.chance(60),
            irq: rng.chance(12),
            timer: rng.chance(12),
            marked: rng.chance(20),
        };
        // An interrupt may set the timer.
        profile.timer |= profile.irq && rng.chance(40);
        profile
    }
}

struct Generator {
    w: Writer,
    profile: Profile,
    /// Whether parts of functions become functions of their own.
    deep: bool,
    /// Those functions.
    steps: String,
}

/// What the functions that follow may use: all of it in all programs, so that a change of one feature does
/// not change the others.
const PRELUDE: &str = r#"#include <oracle.h>

struct inner {
	int v;
	u8 tag;
	u8 more;
};
union mix {
	int i;
	u16 s[2];
	u8 c[4];
};
struct dev {
	int a;
	int b;
	unsigned int f1 : 3;
	unsigned int f2 : 5;
	unsigned int f3 : 9;
	struct inner in;
	union mix u;
	u8 buf[8];
	int arr[4];
	struct mutex lock;
	spinlock_t slock;
	rwlock_t rw;
	struct mutex *lockp;
	struct dev *peer;
	const struct actions *actions;
	atomic_t cnt;
	unsigned long bits;
	struct timer_list timer;
};
struct actions {
	void (*act)(struct dev *d);
	void (*other)(struct dev *d);
};

static struct mutex gm, gm2;
static spinlock_t gs;
static rwlock_t grw;
static int g0;
static u8 g1;
static struct dev D0, D1, P;
static struct dev *gp;
static struct inner elements[3];
"#;

const OBJECTS: [&str; 3] = ["D0", "D1", "P"];

const HELPERS: &[(&str, &str)] = &[
    ("take", "static void take(struct dev *d)\n{\n\tmutex_lock(&d->lock);\n}\n"),
    ("give", "static void give(struct dev *d)\n{\n\tmutex_unlock(&d->lock);\n}\n"),
    ("place", "static int *place(struct dev *d)\n{\n\treturn &d->a;\n}\n"),
    ("bump", "static void bump(int *p)\n{\n\t*p = *p + 1;\n}\n"),
    (
        "try_take",
        "static int try_take(struct dev *d)\n{\n\tif (mutex_trylock(&d->lock))\n\t\treturn 0;\n\treturn -16;\n}\n",
    ),
    ("give_any", "static void give_any(struct mutex *m)\n{\n\tmutex_unlock(m);\n}\n"),
    ("act_a", "static void act_a(struct dev *d)\n{\n\td->a = 5;\n}\n"),
    ("act_b", "static void act_b(struct dev *d)\n{\n\td->b = 6;\n}\n"),
    (
        "deep_give",
        "static void deep_give(struct mutex *m, unsigned int k)\n{\n\tif (k)\n\t\tdeep_give(m, k - 1);\n\telse\n\t\tmutex_unlock(m);\n}\n",
    ),
    (
        "deep_put",
        "static void deep_put(int *p, unsigned int k)\n{\n\tif (k)\n\t\tdeep_put(p, k - 1);\n\telse\n\t\t*p = 9;\n}\n",
    ),
];

impl Generator {
    fn prelude(&mut self) {
        self.w.out.push_str(PRELUDE);
        self.w.out.push('\n');
        for (_, text) in HELPERS {
            self.w.out.push_str(text);
        }
        self.w.out.push_str("static const struct actions actions = { .act = act_a, .other = act_b };\n\n");
        if self.profile.wired {
            for d in OBJECTS {
                self.w.open_brace(&format!("static struct dev {d} = {{"));
                self.wiring(".", d);
                self.w.close_brace("};");
            }
            let target = self.w.rng.pick(&["&D0", "&D1"]);
            self.w.line(&format!("static struct dev *gp = {target};"));
        }
    }

    fn entry_points(&mut self) {
        let count = 1 + self.w.rng.below(3);
        let mut members = vec![];
        let release = self.profile.reach == Reach::Own && self.w.rng.chance(60) || self.w.rng.chance(15);
        self.open_function();
        members.push(("open", "drv_open"));
        if release {
            self.release_function();
            members.push(("release", "drv_release"));
        }
        for n in 0..count {
            let (member, name, head) = [
                (
                    "read",
                    "drv_read",
                    "static ssize_t drv_read(struct file *f, char *to, size_t n, loff_t *at)",
                ),
                (
                    "write",
                    "drv_write",
                    "static ssize_t drv_write(struct file *f, const char *from, size_t n, loff_t *at)",
                ),
                (
                    "unlocked_ioctl",
                    "drv_ioctl",
                    "static long drv_ioctl(struct file *f, unsigned int cmd, unsigned long arg)",
                ),
            ][n as usize];
            self.file_function(head, member == "unlocked_ioctl");
            members.push((member, name));
        }
        self.handlers();
        self.table(&members);
        self.init();
        self.exit();
    }

    fn table(&mut self, members: &[(&str, &str)]) {
        self.w.open_brace("static const struct file_operations fops = {");
        self.w.line(".owner = THIS_MODULE,");
        for (member, function) in members {
            self.w.line(&format!(".{member} = {function},"));
        }
        self.w.close_brace("};");
        self.w.line("static struct miscdevice misc = { .minor = 1, .name = \"drv\", .fops = &fops };");
        self.w.line("");
    }

    fn handlers(&mut self) {
        if self.profile.irq {
            self.w.open_brace("static irqreturn_t irq_D0(int irq, void *cookie)\n{");
            self.w.line("struct dev *d = cookie;");
            self.body(1, false);
            self.sets_timer(40);
            self.w.line("return 1;");
            self.w.close_brace("}");
        }
        if self.profile.timer {
            self.w.open_brace("static void timer_D0(struct timer_list *t)\n{");
            let how = self.w.rng.pick(&["container_of(t, struct dev, timer)", "&D0"]);
            self.w.line(&format!("struct dev *d = {how};"));
            self.body(1, false);
            self.sets_timer(40);
            self.w.close_brace("}");
        }
    }

    /// So many times of a hundred, the timer is set (again).
    fn sets_timer(&mut self, percent: u64) {
        if self.profile.timer && self.w.rng.chance(percent) {
            let device = self.w.rng.pick(&["d->", "D0."]);
            self.w.line(&format!("mod_timer(&{device}timer, 1);"));
        }
    }

    fn init(&mut self) {
        self.w.open_brace("int init_module(void)\n{");
        self.w.line("int err;");
        self.w.line("struct dev *d = &D0;");
        if !self.profile.wired {
            for d in OBJECTS {
                self.wiring(&format!("{d}."), d);
            }
        }
        if self.profile.reach == Reach::Pointer && !self.profile.wired && self.w.rng.chance(70) {
            let target = self.w.rng.pick(&["&D0", "&D1"]);
            self.w.line(&format!("gp = {target};"));
        }
        if self.profile.timer {
            self.w.line("timer_setup(&D0.timer, timer_D0, 0);");
        }
        let mut steps = vec!["err = misc_register(&misc);", "if (err)", "\treturn err;"];
        let device_first = self.w.rng.chance(50);
        if self.profile.irq {
            steps.insert(if device_first { 3 } else { 0 }, "request_irq(1, irq_D0, 0, \"drv\", &D0);");
        }
        if self.profile.timer && self.w.rng.chance(70) {
            steps.insert(0, "mod_timer(&D0.timer, 1);");
        }
        let late = self.w.rng.chance(25);
        if !late {
            self.plain_accesses("d", 2);
        }
        for step in &steps {
            self.w.line(step);
        }
        if late {
            if self.w.rng.chance(50) {
                self.plain_accesses("d", 1);
            } else {
                self.body(1, true);
            }
        }
        self.w.line("return 0;");
        self.w.close_brace("}");
    }

    fn exit(&mut self) {
        if !self.w.rng.chance(30) && !self.profile.irq && !self.profile.timer {
            return;
        }
        self.w.open_brace("void cleanup_module(void)\n{");
        self.w.line("struct dev *d = &D0;");
        let mut steps = vec!["misc_deregister(&misc);"];
        if self.profile.irq && self.w.rng.chance(80) {
            steps.push("free_irq(1, &D0);");
        }
        if self.profile.timer && self.w.rng.chance(90) {
            steps.push(if self.w.rng.chance(60) {
                "del_timer_sync(&D0.timer);"
            } else {
                "del_timer(&D0.timer);"
            });
        }
        if steps.len() == 3 && self.w.rng.chance(50) {
            steps.swap(1, 2);
        }
        let early = self.w.rng.chance(20);
        if early {
            self.plain_accesses("d", 1);
        }
        for step in steps {
            self.w.line(step);
        }
        if !early {
            self.plain_accesses("d", 1);
        }
        self.w.close_brace("}");
    }

    /// Where the pointers of an object lead at first.
    fn wiring(&mut self, access: &str, own: &str) {
        let lockp = if self.profile.one_peer { "&gm2".to_owned() } else { format!("&{own}{}lock", dot(own)) };
        let peer = if self.profile.one_peer { "&P" } else { self.w.rng.pick(&["&P", "&D0", "&D1"]) };
        let end = if access == "." { "," } else { ";" };
        self.w.line(&format!("{access}lockp = {lockp}{end}"));
        self.w.line(&format!("{access}peer = {peer}{end}"));
        self.w.line(&format!("{access}actions = &actions{end}"));
    }

    fn open_function(&mut self) {
        self.w.open_brace("static int drv_open(struct inode *inode, struct file *f)\n{");
        match self.profile.reach {
            Reach::Static => self.w.line("struct dev *d = &D0;"),
            Reach::Own => self.allocate("f->private_data = d;"),
            Reach::Shared => {
                let which = self.w.rng.pick(&["&D0", "rnd() ? &D0 : &D1"]);
                self.w.line(&format!("struct dev *d = {which};"));
                self.w.line("f->private_data = d;");
            }
            Reach::Pointer if self.w.rng.chance(40) => self.allocate("WRITE_ONCE(gp, d);"),
            Reach::Pointer => self.w.line("struct dev *d = READ_ONCE(gp) ? READ_ONCE(gp) : &D0;"),
        }
        if self.w.rng.chance(40) {
            self.body(1, true);
        }
        self.w.line("return 0;");
        self.w.close_brace("}");
    }

    /// A fresh object, initialized, and published by the statement.
    fn allocate(&mut self, publish: &str) {
        self.w.line("struct dev *d = kzalloc(sizeof(*d), 0);");
        self.w.line("if (!d)");
        self.w.line("\treturn -12;");
        let slip = self.w.rng.chance(12);
        if slip {
            self.w.line(publish);
        }
        self.wiring("d->", "d->");
        if self.w.rng.chance(50) {
            self.plain_accesses("d", 2);
        }
        if !slip {
            self.w.line(publish);
        }
        if self.w.rng.chance(8) {
            self.plain_accesses("d", 1);
        }
    }

    fn release_function(&mut self) {
        self.w.open_brace("static int drv_release(struct inode *inode, struct file *f)\n{");
        self.get_object();
        if self.w.rng.chance(50) {
            self.body(1, true);
        }
        if self.profile.reach == Reach::Own && self.w.rng.chance(80) {
            self.w.line("kfree(d);");
            if self.w.rng.chance(50) {
                self.w.line("f->private_data = NULL;");
            }
        }
        self.w.line("return 0;");
        self.w.close_brace("}");
    }

    fn get_object(&mut self) {
        let how = match self.profile.reach {
            Reach::Static => self.w.rng.pick(&["&D0", "&D0", "&D0", "&D1"]),
            Reach::Own | Reach::Shared => "f->private_data",
            Reach::Pointer => self.w.rng.pick(&["READ_ONCE(gp)", "READ_ONCE(gp)", "gp"]),
        };
        self.w.line(&format!("struct dev *d = {how};"));
        if self.profile.reach == Reach::Pointer || self.profile.reach == Reach::Own {
            self.w.line("if (!d)");
            self.w.line("\treturn -19;");
        }
    }

    fn file_function(&mut self, head: &str, is_ioctl: bool) {
        self.w.open_brace(&format!("{head}\n{{"));
        self.get_object();
        if is_ioctl && self.w.rng.chance(40) {
            self.w.open_brace("switch (cmd) {");
            for case in 0..2 {
                self.w.open_brace(&format!("case {case}: {{"));
                self.body(1, true);
                self.w.line("break;");
                self.w.close_brace("}");
            }
            self.w.open_brace("default:");
            self.w.line("return -25;");
            self.w.close_brace("}");
        } else {
            let regions = 1 + self.w.rng.below(2);
            self.body(regions, true);
        }
        if self.profile.rewires && self.w.rng.chance(50) {
            self.rewire();
        }
        if self.profile.reach == Reach::Pointer && self.w.rng.chance(6) {
            self.w.line("WRITE_ONCE(gp, NULL);");
            self.w.line("kfree(d);");
        }
        self.w.line("return 0;");
        self.w.close_brace("}");
    }

    fn rewire(&mut self) {
        let own = self.profile.reach == Reach::Own || self.profile.reach == Reach::Shared;
        let target = self.w.rng.pick(&["&D0", "&D1", "&P"]);
        let lock = self.w.rng.pick(&["&gm", "&gm2"]);
        let once = self.w.rng.chance(85);
        let (place, value) = match self.w.rng.below(4) {
            0 if own => ("f->private_data", format!("(void *){target}")),
            0 | 1 => ("gp", target.to_owned()),
            2 => ("d->lockp", lock.to_owned()),
            _ => ("d->peer", target.to_owned()),
        };
        if once {
            self.w.line(&format!("WRITE_ONCE({place}, {value});"));
        } else {
            self.w.line(&format!("{place} = {value};"));
        }
    }

    /// Some regions; `fails` says whether the function may return a number at once.
    fn body(&mut self, regions: u64, fails: bool) {
        for _ in 0..regions {
            if self.w.rng.chance(8) {
                self.unprotected();
            }
            let lock = self.w.rng.below(self.profile.locks.len() as u64) as usize;
            if self.deep && self.w.rng.chance(70) {
                self.step(fails, |g| g.region(lock, fails));
            } else {
                self.region(lock, fails);
            }
        }
    }

    /// A function of its own, with a call of it here. It may call itself, before or after what it does or instead,
    /// with its object or another.
    fn step(&mut self, fails: bool, what: impl FnOnce(&mut Self)) {
        let name = self.w.name("step");
        let (out, depth) = (std::mem::take(&mut self.w.out), std::mem::replace(&mut self.w.depth, 0));
        self.w.open_brace(&format!("static int {name}(struct dev *d, unsigned int k)\n{{"));
        let other = if self.profile.wired && self.w.rng.chance(30) { "d->peer" } else { "d" };
        let again = format!("{name}({other}, k - 1)");
        let order = self.w.rng.below(5);
        match order {
            0 => self.w.line(&format!("if (k)\n\t\treturn {again};")),
            1 => self.w.line(&format!("if (k)\n\t\t{again};")),
            _ => {}
        }
        what(self);
        if order == 2 {
            self.w.line(&format!("if (k)\n\t\t{again};"));
        }
        self.w.line("return 0;");
        self.w.close_brace("}");
        let text = std::mem::replace(&mut self.w.out, out);
        self.w.depth = depth;
        self.steps.push_str(&text);
        let times = self.w.rng.pick(&["0", "1", "rnd() & 1"]);
        match fails {
            true => self.w.line(&format!("if ({name}(d, {times}))\n\t\treturn -5;")),
            false => self.w.line(&format!("{name}(d, {times});")),
        }
    }

    /// Accesses that need no lock.
    fn unprotected(&mut self) {
        let x = self.w.name("x");
        let line = match self.w.rng.below(7) {
            0 => "atomic_inc(&d->cnt);".to_owned(),
            1 => "set_bit(1, &d->bits);".to_owned(),
            2 => format!("int {x} = atomic_read(&d->cnt);"),
            3 => format!("int {x} = test_and_set_bit(0, &d->bits);"),
            4 if self.profile.discipline < 100 => "__set_bit(2, &d->bits);".to_owned(),
            5 if self.profile.discipline < 100 => "d->bits = 0;".to_owned(),
            _ => format!("int {x} = READ_ONCE(d->cnt.counter);"),
        };
        self.w.line(&line);
    }
}

fn dot(own: &str) -> &'static str {
    if own.ends_with("->") { "" } else { "." }
}
