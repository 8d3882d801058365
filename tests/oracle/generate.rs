//! The generator: from a seed to a driver in miniature.
//!
//! A program has a few objects of one struct, locks of all kinds around and in them, and two to four
//! functions that the kernel calls. Each function is a sequence of *regions*: a lock is taken in some way,
//! members that the program's *discipline* says it protects are accessed in some way, and it is given back in
//! some way. Most programs follow their discipline mostly; without mistakes there would be no races, and with
//! many of them no pair would ever be proved.

use std::fmt::Write as _;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    generate(seed, false)
}

/// The program of a seed with much of it in functions that call each other and themselves.
pub fn deep_program(seed: u64) -> String {
    generate(seed, true)
}

fn generate(seed: u64, deep: bool) -> String {
    let mut rng = Rng::new(seed);
    let profile = Profile::new(&mut rng);
    let mut generator =
        Generator { rng, profile, deep, out: String::new(), steps: String::new(), names: 0, depth: 0 };
    generator.prelude();
    let prelude = std::mem::take(&mut generator.out);
    generator.entry_points();
    prelude + &generator.steps + &generator.out
}

/// A small generator of numbers (splitmix64): the same everywhere and for ever.
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
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
    rng: Rng,
    profile: Profile,
    /// Whether parts of functions become functions of their own.
    deep: bool,
    out: String,
    /// Those functions.
    steps: String,
    names: u32,
    depth: u32,
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
    fn line(&mut self, text: &str) {
        let indent = "\t".repeat(self.depth as usize);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn open_brace(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close_brace(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    fn prelude(&mut self) {
        self.out.push_str(PRELUDE);
        self.out.push('\n');
        for (_, text) in HELPERS {
            self.out.push_str(text);
        }
        self.out.push_str("static const struct actions actions = { .act = act_a, .other = act_b };\n\n");
        if self.profile.wired {
            for d in OBJECTS {
                self.open_brace(&format!("static struct dev {d} = {{"));
                self.wiring(".", d);
                self.close_brace("};");
            }
            let target = self.rng.pick(&["&D0", "&D1"]);
            self.line(&format!("static struct dev *gp = {target};"));
        }
    }

    fn entry_points(&mut self) {
        let count = 1 + self.rng.below(3);
        let mut members = vec![];
        let release = self.profile.reach == Reach::Own && self.rng.chance(60) || self.rng.chance(15);
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
        self.open_brace("static const struct file_operations fops = {");
        self.line(".owner = THIS_MODULE,");
        for (member, function) in members {
            self.line(&format!(".{member} = {function},"));
        }
        self.close_brace("};");
        self.line("static struct miscdevice misc = { .minor = 1, .name = \"drv\", .fops = &fops };");
        self.line("");
    }

    fn handlers(&mut self) {
        if self.profile.irq {
            self.open_brace("static irqreturn_t irq_D0(int irq, void *cookie)\n{");
            self.line("struct dev *d = cookie;");
            self.body(1, false);
            self.sets_timer(40);
            self.line("return 1;");
            self.close_brace("}");
        }
        if self.profile.timer {
            self.open_brace("static void timer_D0(struct timer_list *t)\n{");
            let how = self.rng.pick(&["container_of(t, struct dev, timer)", "&D0"]);
            self.line(&format!("struct dev *d = {how};"));
            self.body(1, false);
            self.sets_timer(40);
            self.close_brace("}");
        }
    }

    /// So many times of a hundred, the timer is set (again).
    fn sets_timer(&mut self, percent: u64) {
        if self.profile.timer && self.rng.chance(percent) {
            let device = self.rng.pick(&["d->", "D0."]);
            self.line(&format!("mod_timer(&{device}timer, 1);"));
        }
    }

    fn init(&mut self) {
        self.open_brace("int init_module(void)\n{");
        self.line("int err;");
        self.line("struct dev *d = &D0;");
        if !self.profile.wired {
            for d in OBJECTS {
                self.wiring(&format!("{d}."), d);
            }
        }
        if self.profile.reach == Reach::Pointer && !self.profile.wired && self.rng.chance(70) {
            let target = self.rng.pick(&["&D0", "&D1"]);
            self.line(&format!("gp = {target};"));
        }
        if self.profile.timer {
            self.line("timer_setup(&D0.timer, timer_D0, 0);");
        }
        let mut steps = vec!["err = misc_register(&misc);", "if (err)", "\treturn err;"];
        let device_first = self.rng.chance(50);
        if self.profile.irq {
            steps.insert(if device_first { 3 } else { 0 }, "request_irq(1, irq_D0, 0, \"drv\", &D0);");
        }
        if self.profile.timer && self.rng.chance(70) {
            steps.insert(0, "mod_timer(&D0.timer, 1);");
        }
        let late = self.rng.chance(25);
        if !late {
            self.plain_accesses("d", 2);
        }
        for step in &steps {
            self.line(step);
        }
        if late {
            if self.rng.chance(50) {
                self.plain_accesses("d", 1);
            } else {
                self.body(1, true);
            }
        }
        self.line("return 0;");
        self.close_brace("}");
    }

    fn exit(&mut self) {
        if !self.rng.chance(30) && !self.profile.irq && !self.profile.timer {
            return;
        }
        self.open_brace("void cleanup_module(void)\n{");
        self.line("struct dev *d = &D0;");
        let mut steps = vec!["misc_deregister(&misc);"];
        if self.profile.irq && self.rng.chance(80) {
            steps.push("free_irq(1, &D0);");
        }
        if self.profile.timer && self.rng.chance(90) {
            steps.push(if self.rng.chance(60) {
                "del_timer_sync(&D0.timer);"
            } else {
                "del_timer(&D0.timer);"
            });
        }
        if steps.len() == 3 && self.rng.chance(50) {
            steps.swap(1, 2);
        }
        let early = self.rng.chance(20);
        if early {
            self.plain_accesses("d", 1);
        }
        for step in steps {
            self.line(step);
        }
        if !early {
            self.plain_accesses("d", 1);
        }
        self.close_brace("}");
    }

    /// Where the pointers of an object lead at first.
    fn wiring(&mut self, access: &str, own: &str) {
        let lockp = if self.profile.one_peer { "&gm2".to_owned() } else { format!("&{own}{}lock", dot(own)) };
        let peer = if self.profile.one_peer { "&P" } else { self.rng.pick(&["&P", "&D0", "&D1"]) };
        let end = if access == "." { "," } else { ";" };
        self.line(&format!("{access}lockp = {lockp}{end}"));
        self.line(&format!("{access}peer = {peer}{end}"));
        self.line(&format!("{access}actions = &actions{end}"));
    }

    fn open_function(&mut self) {
        self.open_brace("static int drv_open(struct inode *inode, struct file *f)\n{");
        match self.profile.reach {
            Reach::Static => self.line("struct dev *d = &D0;"),
            Reach::Own => self.allocate("f->private_data = d;"),
            Reach::Shared => {
                let which = self.rng.pick(&["&D0", "rnd() ? &D0 : &D1"]);
                self.line(&format!("struct dev *d = {which};"));
                self.line("f->private_data = d;");
            }
            Reach::Pointer if self.rng.chance(40) => self.allocate("WRITE_ONCE(gp, d);"),
            Reach::Pointer => self.line("struct dev *d = READ_ONCE(gp) ? READ_ONCE(gp) : &D0;"),
        }
        if self.rng.chance(40) {
            self.body(1, true);
        }
        self.line("return 0;");
        self.close_brace("}");
    }

    /// A fresh object, initialized, and published by the statement.
    fn allocate(&mut self, publish: &str) {
        self.line("struct dev *d = kzalloc(sizeof(*d), 0);");
        self.line("if (!d)");
        self.line("\treturn -12;");
        let slip = self.rng.chance(12);
        if slip {
            self.line(publish);
        }
        self.wiring("d->", "d->");
        if self.rng.chance(50) {
            self.plain_accesses("d", 2);
        }
        if !slip {
            self.line(publish);
        }
        if self.rng.chance(8) {
            self.plain_accesses("d", 1);
        }
    }

    fn release_function(&mut self) {
        self.open_brace("static int drv_release(struct inode *inode, struct file *f)\n{");
        self.get_object();
        if self.rng.chance(50) {
            self.body(1, true);
        }
        if self.profile.reach == Reach::Own && self.rng.chance(80) {
            self.line("kfree(d);");
            if self.rng.chance(50) {
                self.line("f->private_data = NULL;");
            }
        }
        self.line("return 0;");
        self.close_brace("}");
    }

    fn get_object(&mut self) {
        let how = match self.profile.reach {
            Reach::Static => self.rng.pick(&["&D0", "&D0", "&D0", "&D1"]),
            Reach::Own | Reach::Shared => "f->private_data",
            Reach::Pointer => self.rng.pick(&["READ_ONCE(gp)", "READ_ONCE(gp)", "gp"]),
        };
        self.line(&format!("struct dev *d = {how};"));
        if self.profile.reach == Reach::Pointer || self.profile.reach == Reach::Own {
            self.line("if (!d)");
            self.line("\treturn -19;");
        }
    }

    fn file_function(&mut self, head: &str, is_ioctl: bool) {
        self.open_brace(&format!("{head}\n{{"));
        self.get_object();
        if is_ioctl && self.rng.chance(40) {
            self.open_brace("switch (cmd) {");
            for case in 0..2 {
                self.open_brace(&format!("case {case}: {{"));
                self.body(1, true);
                self.line("break;");
                self.close_brace("}");
            }
            self.open_brace("default:");
            self.line("return -25;");
            self.close_brace("}");
        } else {
            let regions = 1 + self.rng.below(2);
            self.body(regions, true);
        }
        if self.profile.rewires && self.rng.chance(50) {
            self.rewire();
        }
        if self.profile.reach == Reach::Pointer && self.rng.chance(6) {
            self.line("WRITE_ONCE(gp, NULL);");
            self.line("kfree(d);");
        }
        self.line("return 0;");
        self.close_brace("}");
    }

    fn rewire(&mut self) {
        let own = self.profile.reach == Reach::Own || self.profile.reach == Reach::Shared;
        let target = self.rng.pick(&["&D0", "&D1", "&P"]);
        let lock = self.rng.pick(&["&gm", "&gm2"]);
        let once = self.rng.chance(85);
        let (place, value) = match self.rng.below(4) {
            0 if own => ("f->private_data", format!("(void *){target}")),
            0 | 1 => ("gp", target.to_owned()),
            2 => ("d->lockp", lock.to_owned()),
            _ => ("d->peer", target.to_owned()),
        };
        if once {
            self.line(&format!("WRITE_ONCE({place}, {value});"));
        } else {
            self.line(&format!("{place} = {value};"));
        }
    }

    /// Some regions; `fails` says whether the function may return a number at once.
    fn body(&mut self, regions: u64, fails: bool) {
        for _ in 0..regions {
            if self.rng.chance(8) {
                self.unprotected();
            }
            let lock = self.rng.below(self.profile.locks.len() as u64) as usize;
            if self.deep && self.rng.chance(70) {
                self.step(fails, |g| g.region(lock, fails));
            } else {
                self.region(lock, fails);
            }
        }
    }

    /// A function of its own, with a call of it here. It may call itself, before or after what it does or instead,
    /// with its object or another.
    fn step(&mut self, fails: bool, what: impl FnOnce(&mut Self)) {
        let name = self.name("step");
        let (out, depth) = (std::mem::take(&mut self.out), std::mem::replace(&mut self.depth, 0));
        self.open_brace(&format!("static int {name}(struct dev *d, unsigned int k)\n{{"));
        let other = if self.profile.wired && self.rng.chance(30) { "d->peer" } else { "d" };
        let again = format!("{name}({other}, k - 1)");
        let order = self.rng.below(5);
        match order {
            0 => self.line(&format!("if (k)\n\t\treturn {again};")),
            1 => self.line(&format!("if (k)\n\t\t{again};")),
            _ => {}
        }
        what(self);
        if order == 2 {
            self.line(&format!("if (k)\n\t\t{again};"));
        }
        self.line("return 0;");
        self.close_brace("}");
        let text = std::mem::replace(&mut self.out, out);
        self.depth = depth;
        self.steps.push_str(&text);
        let times = self.rng.pick(&["0", "1", "rnd() & 1"]);
        match fails {
            true => self.line(&format!("if ({name}(d, {times}))\n\t\treturn -5;")),
            false => self.line(&format!("{name}(d, {times});")),
        }
    }

    /// Accesses that need no lock.
    fn unprotected(&mut self) {
        let x = self.name("x");
        let line = match self.rng.below(7) {
            0 => "atomic_inc(&d->cnt);".to_owned(),
            1 => "set_bit(1, &d->bits);".to_owned(),
            2 => format!("int {x} = atomic_read(&d->cnt);"),
            3 => format!("int {x} = test_and_set_bit(0, &d->bits);"),
            4 if self.profile.discipline < 100 => "__set_bit(2, &d->bits);".to_owned(),
            5 if self.profile.discipline < 100 => "d->bits = 0;".to_owned(),
            _ => format!("int {x} = READ_ONCE(d->cnt.counter);"),
        };
        self.line(&line);
    }

    fn lock_text(&self, lock: LockExpr) -> String {
        lock.text.replace('@', "d")
    }

    /// A lock, accesses to what it protects, and its release: or one of many ways to get that wrong.
    fn region(&mut self, index: usize, fails: bool) {
        let right = self.rng.chance(self.profile.discipline);
        let used = if right { index } else { self.rng.below(self.profile.locks.len() as u64) as usize };
        let lock = if right || self.rng.chance(50) { self.profile.locks[used] } else { self.rng.pick(LOCKS) };
        if right || self.rng.chance(40) {
            self.proper(lock, index, fails);
        } else {
            self.improper(lock, index);
        }
    }

    fn proper(&mut self, lock: LockExpr, index: usize, fails: bool) {
        let l = self.lock_text(lock);
        let own = lock.text == "&@->lock";
        match self.rng.below(14) {
            0 if lock.kind != Kind::Rw => {
                let call = try_of(lock.kind, &l);
                self.open_brace(&format!("if ({call}) {{"));
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.close_brace("}");
            }
            1 if lock.kind == Kind::Mutex && fails => {
                self.line(&format!("if (mutex_lock_interruptible({l}))"));
                self.line("\treturn -4;");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            2 if lock.kind != Kind::Rw && fails => {
                let call = try_of(lock.kind, &l);
                self.line(&format!("if (!{call})"));
                self.line("\treturn -16;");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            3 if own => {
                self.line("take(d);");
                self.accesses(index, false);
                self.line("give(d);");
            }
            4 if own && fails => {
                self.line("if (try_take(d))");
                self.line("\treturn -16;");
                self.accesses(index, false);
                self.line("give(d);");
            }
            5 if lock.kind == Kind::Mutex => {
                let m = self.name("m");
                self.line(&format!("struct mutex *{m} = {l};"));
                self.line(&format!("mutex_lock({m});"));
                self.accesses(index, false);
                self.line(&self.rng_pick_release(&m));
            }
            6 => {
                let i = self.name("i");
                self.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.close_brace("}");
            }
            7 => {
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            8 => {
                let c = self.name("c");
                self.line(&format!("unsigned int {c} = rnd();"));
                self.line(&format!("if ({c} & 1)"));
                self.nested_take(lock, &l);
                self.open_brace(&format!("if ({c} & 1) {{"));
                self.accesses(index, false);
                self.close_brace("}");
                self.line(&format!("if ({c} & 1)"));
                self.depth += 1;
                self.give(lock, &l, false);
                self.depth -= 1;
            }
            9 => {
                let i = self.name("i");
                self.take(lock, &l, false);
                self.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.take(lock, &l, false);
                self.close_brace("}");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            10 => {
                let out = self.name("out");
                self.take(lock, &l, false);
                self.line("if (rnd() & 1)");
                self.line(&format!("\tgoto {out};"));
                self.accesses(index, false);
                self.depth -= 1;
                self.line(&format!("{out}:"));
                self.depth += 1;
                self.give(lock, &l, false);
            }
            11 if lock.kind == Kind::Rw => {
                self.take(lock, &l, true);
                self.accesses(index, true);
                self.give(lock, &l, true);
            }
            _ => {
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
        }
    }

    fn rng_pick_release(&self, m: &str) -> String {
        if self.names.is_multiple_of(2) { format!("give_any({m});") } else { format!("mutex_unlock({m});") }
    }

    fn improper(&mut self, lock: LockExpr, index: usize) {
        let l = self.lock_text(lock);
        match self.rng.below(22) {
            0 => self.accesses(index, false),
            16 if lock.kind == Kind::Mutex => {
                self.take(lock, &l, false);
                self.line(&format!("deep_give({l}, 1);"));
                self.accesses(index, false);
            }
            17 => self.other_path(lock, &l, index),
            18 => self.late_iteration(index),
            19 => self.default_case(index),
            20 => self.own_lock(index),
            21 => self.chosen_lock(index),
            1 => {
                self.take(lock, &l, false);
                self.give(lock, &l, false);
                self.accesses(index, false);
            }
            2 => {
                self.take(lock, &l, false);
                self.line("if (rnd() & 1)");
                self.depth += 1;
                self.give(lock, &l, false);
                self.depth -= 1;
                self.accesses(index, false);
            }
            3 => {
                let i = self.name("i");
                self.take(lock, &l, false);
                self.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.accesses(index, false);
                self.line(&format!("if ({i} == 0)"));
                self.depth += 1;
                self.give(lock, &l, false);
                self.depth -= 1;
                self.close_brace("}");
            }
            4 if lock.kind != Kind::Rw => {
                self.line(&format!("{};", try_of(lock.kind, &l)));
                self.accesses(index, false);
            }
            5 if lock.kind != Kind::Rw => {
                let call = try_of(lock.kind, &l);
                self.open_brace(&format!("if (!{call}) {{"));
                self.accesses(index, false);
                self.close_brace("}");
            }
            6 if lock.kind == Kind::Mutex => {
                self.open_brace(&format!("if (mutex_lock_interruptible({l})) {{"));
                self.accesses(index, false);
                self.close_brace("}");
            }
            7 => {
                self.take(lock, &l, false);
                self.line("give_any(d->lockp);");
                self.accesses(index, false);
            }
            8 => {
                self.line("take(d);");
                self.line("give(d->peer);");
                self.accesses(index, false);
            }
            9 => {
                self.line("take(d);");
                self.line("give(d);");
                self.accesses(index, false);
            }
            10 if lock.kind == Kind::Rw => {
                self.take(lock, &l, true);
                self.accesses(index, false);
                self.give(lock, &l, true);
            }
            11 => self.wrapping(index),
            12 => {
                let other = self.rng.pick(&[
                    "mutex_lock(&D1.lock);",
                    "mutex_lock(&gm2);",
                    "_raw_spin_lock(&D1.slock);",
                ]);
                self.line(other);
                self.accesses(index, false);
                self.line(&other.replace("lock(", "unlock("));
            }
            13 => {
                self.open_brace("if (READ_ONCE(d->cnt.counter) == 0) {");
                self.accesses(index, false);
                self.close_brace("}");
            }
            14 => {
                let call = self.rng.pick(&["act", "other"]);
                self.line(&format!("d->actions->{call}(d);"));
            }
            _ => {
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.accesses(index, true);
            }
        }
    }

    /// Guards that only wrapping arithmetic makes true.
    fn wrapping(&mut self, index: usize) {
        let n = self.name("n");
        let (ty, guard) = self.rng.pick(&[
            ("unsigned int", "@ + 16 < @"),
            ("u8", "(u8)(@ + 1) < @"),
            ("u16", "(u16)(@ + 2) < @"),
            ("unsigned int", "@ - 1 > @"),
            ("unsigned int", "@ * 4 < @"),
            ("u8", "(u8)(@ << 1) < @"),
            ("unsigned int", "(u8)@ != @"),
            ("int", "@ < 0"),
        ]);
        self.line(&format!("{ty} {n} = rnd();"));
        self.open_brace(&format!("if ({}) {{", guard.replace('@', &n)));
        self.accesses(index, false);
        self.close_brace("}");
    }

    /// Another path takes the lock.
    fn other_path(&mut self, lock: LockExpr, l: &str, index: usize) {
        let c = self.name("c");
        self.line(&format!("unsigned int {c} = rnd();"));
        self.line(&format!("if ({c} & 1)"));
        self.nested_take(lock, l);
        self.accesses(index, false);
        self.line(&format!("if ({c} & 1)"));
        self.depth += 1;
        self.give(lock, l, false);
        self.depth -= 1;
    }

    /// What the first iteration does not do, a later one does.
    fn late_iteration(&mut self, index: usize) {
        let (i, k) = (self.name("i"), self.name("k"));
        self.line(&format!("int {k} = 0;"));
        self.line(&format!("int *{k}p = &{k};"));
        self.open_brace(&format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
        let seen = self.rng.pick(&["@ == 2", "#p[0] == 1", "# == 2"]).replace('@', &i).replace('#', &k);
        self.open_brace(&format!("if ({seen}) {{"));
        self.accesses(index, false);
        self.close_brace("}");
        self.line(&format!("bump({k}p);"));
        self.close_brace("}");
    }

    fn default_case(&mut self, index: usize) {
        self.open_brace("switch (rnd()) {");
        for case in [5, 6] {
            self.line(&format!("case {case}:"));
            self.line("\tbreak;");
        }
        self.open_brace("default: {");
        self.accesses(index, false);
        self.close_brace("}");
        self.close_brace("}");
    }

    /// The lock of an object that nobody else has, for data that others have.
    fn own_lock(&mut self, index: usize) {
        let o = self.name("o");
        self.line(&format!("struct dev *{o} = kzalloc(sizeof(*{o}), 0);"));
        self.open_brace(&format!("if ({o}) {{"));
        if self.rng.chance(50) {
            self.line(&format!("WRITE_ONCE(P.peer, {o});"));
        }
        self.line(&format!("mutex_lock(&{o}->lock);"));
        self.accesses(index, false);
        self.line(&format!("mutex_unlock(&{o}->lock);"));
        self.close_brace("}");
    }

    /// One of two locks, nobody knows which.
    fn chosen_lock(&mut self, index: usize) {
        let m = self.name("m");
        let which = self.rng.pick(&[
            "rnd() ? &gm : &gm2",
            "rnd() & 1 ? &d->lock : &gm",
            "rnd() ? d->lockp : &gm",
            "&(rnd() ? &D0 : &D1)->lock",
        ]);
        self.line(&format!("struct mutex *{m} = {which};"));
        self.line(&format!("mutex_lock({m});"));
        self.accesses(index, false);
        self.line(&format!("mutex_unlock({m});"));
    }

    fn nested_take(&mut self, lock: LockExpr, l: &str) {
        self.depth += 1;
        self.take(lock, l, false);
        self.depth -= 1;
    }

    fn take(&mut self, lock: LockExpr, l: &str, read: bool) {
        let function = match lock.kind {
            Kind::Mutex => "mutex_lock",
            Kind::Spin => "_raw_spin_lock",
            Kind::Rw if read => "_raw_read_lock",
            Kind::Rw => "_raw_write_lock",
        };
        self.line(&format!("{function}({l});"));
    }

    fn give(&mut self, lock: LockExpr, l: &str, read: bool) {
        let function = match lock.kind {
            Kind::Mutex => "mutex_unlock",
            Kind::Spin => "_raw_spin_unlock",
            Kind::Rw if read => "_raw_read_unlock",
            Kind::Rw => "_raw_write_unlock",
        };
        self.line(&format!("{function}({l});"));
    }

    /// One to three accesses to what the lock protects.
    fn accesses(&mut self, index: usize, reads_only: bool) {
        if self.deep && self.rng.chance(60) {
            self.step(false, |g| g.accesses_here(index, reads_only));
        } else {
            self.accesses_here(index, reads_only);
        }
    }

    fn accesses_here(&mut self, index: usize, reads_only: bool) {
        let groups: Vec<Group> =
            self.profile.groups.iter().filter(|(_, l)| *l == index).map(|(g, _)| *g).collect();
        if groups.is_empty() {
            return;
        }
        for _ in 0..1 + self.rng.below(2) {
            let group = self.rng.pick(&groups);
            let write = !reads_only && self.rng.chance(60);
            self.access(group, "d", write);
        }
    }

    /// Accesses without a lock, where none is needed.
    fn plain_accesses(&mut self, object: &str, most: u64) {
        for _ in 0..self.rng.below(most + 1) {
            let at = self.rng.below(self.profile.groups.len() as u64) as usize;
            let group = self.profile.groups[at].0;
            self.access(group, object, true);
        }
    }

    fn access(&mut self, group: Group, d: &str, write: bool) {
        let x = self.name("x");
        let marked = self.profile.marked && self.rng.chance(40);
        let choices = if write { writes(group) } else { reads(group) };
        let text = self.rng.pick(choices).replace('@', d).replace('%', &x);
        let text = if marked { mark(&x, group, d, write).unwrap_or(text) } else { text };
        for line in text.lines() {
            self.line(line);
        }
    }
}

fn dot(own: &str) -> &'static str {
    if own.ends_with("->") { "" } else { "." }
}

fn try_of(kind: Kind, l: &str) -> String {
    match kind {
        Kind::Mutex => format!("mutex_trylock({l})"),
        Kind::Spin | Kind::Rw => format!("_raw_spin_trylock({l})"),
    }
}

/// The same access with a mark, for the groups that have one.
fn mark(x: &str, group: Group, d: &str, write: bool) -> Option<String> {
    let place = match group {
        Group::A => format!("{d}->a"),
        Group::B => format!("{d}->b"),
        Group::Global => "g0".to_owned(),
        _ => return None,
    };
    Some(if write { format!("WRITE_ONCE({place}, 7);") } else { format!("int {x} = READ_ONCE({place});") })
}

fn writes(group: Group) -> &'static [&'static str] {
    match group {
        Group::A => &[
            "@->a = 1;",
            "@->a++;",
            "*place(@) = 2;",
            "bump(&@->a);",
            "bump(place(@));",
            "act_a(@);",
            "@->actions->act(@);",
            "memset(&@->a, 0, sizeof(@->a));",
            "*(u8 *)&@->a = 3;",
            "((u16 *)@)[1] = 3;",
            "int *% = &@->a;\n*% = 4;",
            "deep_put(&@->a, 1);",
            "outside(&@->a);",
        ],
        Group::B => &[
            "@->b = 1;",
            "@->b += 2;",
            "bump(&@->b);",
            "act_b(@);",
            "@->actions->other(@);",
            "*(&@->a + 1) = 8;",
        ],
        Group::Bits => &["@->f1 = 1;", "@->f2 = 3;", "@->f3++;"],
        Group::Inner => &[
            "@->in.v = 1;",
            "@->in.tag = 2;",
            "@->in.more = 2;",
            "struct inner *% = &@->in;\n%->v = 3;",
            "struct inner % = { 1, 2 };\n@->in = %;",
            "memset(&@->in, 0, sizeof(@->in));",
            "((char *)&@->in)[4] = 1;",
            "struct inner % = { 1, 2 };\nmemcpy(&@->in, &%, sizeof(%));",
        ],
        Group::Union => {
            &["@->u.i = 1;", "@->u.s[1] = 2;", "@->u.c[3] = 3;", "union mix *% = &@->u;\n%->s[0] = 1;"]
        }
        Group::Chars => &[
            "@->buf[0] = 1;",
            "unsigned int % = rnd();\nif (% < 8)\n\t@->buf[%] = 1;",
            "memset(@->buf, 1, sizeof(@->buf));",
            "u8 *% = @->buf;\n%[3] = 1;",
            "u8 % = rnd();\nif ((u8)(% + 3) < 8)\n\t@->buf[(u8)(% + 3)] = 1;",
            "*(u32 *)@->buf = 3;",
            "memcpy_fromio(@->buf, NULL, 8);",
        ],
        Group::Array => &[
            "@->arr[0] = 1;",
            "@->arr[rnd() & 3] = 1;",
            "for (int % = 0; % < 2; %++)\n\t@->arr[%] = %;",
            "int *% = @->arr;\n%[2] = 1;",
            "unsigned int % = rnd();\nif (% + 1 < 3)\n\t@->arr[% + 1] = 2;",
            "memset(@->arr, 0, 8);",
        ],
        Group::Global => &["g0 = 1;", "g0++;", "bump(&g0);", "int *% = &g0;\n*% = 2;"],
        Group::Elements => &[
            "elements[1].v = 1;",
            "elements[rnd() & 1].tag = 1;",
            "struct inner *% = &elements[1];\n%->tag = 1;",
            "struct inner *% = elements;\n(% + 1)->v = 2;",
            "memset(elements, 0, sizeof(elements));",
        ],
    }
}

fn reads(group: Group) -> &'static [&'static str] {
    match group {
        Group::A => {
            &["int % = @->a;", "int % = *place(@);", "u8 % = *(u8 *)&@->a;", "int *% = &@->a;\nint %v = *%;"]
        }
        Group::B => &["int % = @->b;", "if (@->b)\n\trnd();"],
        Group::Bits => &["int % = @->f1;", "int % = @->f2;", "int % = @->f3;"],
        Group::Inner => &[
            "int % = @->in.v;",
            "int % = @->in.tag;",
            "struct inner % = @->in;",
            "struct inner %;\nmemcpy(&%, &@->in, sizeof(%));",
        ],
        Group::Union => &["int % = @->u.i;", "int % = @->u.s[0];", "int % = @->u.c[1];"],
        Group::Chars => {
            &["int % = @->buf[3];", "int % = @->buf[rnd() & 7];", "u8 %[8];\nmemcpy(%, @->buf, 8);"]
        }
        Group::Array => &["int % = @->arr[1];", "int % = @->arr[rnd() & 3];"],
        Group::Global => &["int % = g0;"],
        Group::Elements => &["int % = elements[1].v;", "int % = elements[rnd() & 1].tag;"],
    }
}
