//! The generator: from a seed to a program with threads that ends by itself.
//!
//! Variables have locks that protect them; most accesses hold theirs. Threads are made one by one, in loops, through a
//! helper and by other threads; most are waited for, some too late, some not at all, and some handles are mixed up.

use std::fmt::Write as _;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut g = Generator { rng: Rng::new(seed), out: PRELUDE.to_owned(), depth: 0, careless: 0 };
    g.careless = g.rng.pick(&[0, 15, 40, 60]);
    let workers = 1 + g.rng.below(3);
    for n in 0..workers {
        g.worker(n);
    }
    g.main(workers);
    g.out
}

const PRELUDE: &str = "\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct item {
	pthread_mutex_t lock;
	int a;
	int b;
	struct item *next;
};
static int g0, g1, g2, g3;
static char text[16];
static volatile int flag;
static atomic_int counter;
static __thread int own;
static int *shared_own;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct item items[4] = {
	{ PTHREAD_MUTEX_INITIALIZER }, { PTHREAD_MUTEX_INITIALIZER },
	{ PTHREAD_MUTEX_INITIALIZER }, { PTHREAD_MUTEX_INITIALIZER },
};
static struct item *head;
static pthread_t kept;
static void prepare(void)
{
	g3 = 7;
}
static void add(struct item *it)
{
	it->b++;
}
static void add_locked(struct item *it)
{
	pthread_mutex_lock(&it->lock);
	it->a++;
	pthread_mutex_unlock(&it->lock);
}
static pthread_mutex_t *lock_of(struct item *it)
{
	return &it->lock;
}
static int start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	return pthread_create(thread, NULL, run, arg);
}
";

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

/// How a variable is protected.
#[derive(Copy, Clone)]
struct Variable {
    text: &'static str,
    lock: &'static str,
}

/// `it` is the thread's argument.
const VARIABLES: &[Variable] = &[
    Variable { text: "g0", lock: "&m0" },
    Variable { text: "g1", lock: "&m1" },
    Variable { text: "g1", lock: "&m1" },
    Variable { text: "it->a", lock: "&it->lock" },
    Variable { text: "it->a", lock: "lock_of(it)" },
    Variable { text: "items[1].a", lock: "&items[1].lock" },
    Variable { text: "items[0].b", lock: "&m0" },
];
const LOCKS: &[&str] = &["&m0", "&m1", "&it->lock", "&items[1].lock"];

struct Generator {
    rng: Rng,
    out: String,
    depth: usize,
    /// In percent: how often the wrong lock is taken, or none.
    careless: u64,
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "\t".repeat(self.depth + 1));
    }

    fn worker(&mut self, n: u64) {
        let _ = write!(
            self.out,
            "static void *worker{n}(void *arg)\n{{\n\tstruct item *it = arg;\n\tint i, sum = 0;\n"
        );
        for _ in 0..2 + self.rng.below(5) {
            self.statement();
        }
        if n > 0 && self.rng.chance(25) {
            self.line("pthread_t mine;");
            let arg = self.argument("it");
            self.line(&format!("if (pthread_create(&mine, NULL, worker{}, {arg}) == 0)", n - 1));
            let waits = self.rng.chance(60);
            self.line(if waits { "\tpthread_join(mine, NULL);" } else { "\tsum++;" });
            self.statement();
        }
        self.line("return NULL;");
        self.out.push_str("}\n");
    }

    fn main(&mut self, workers: u64) {
        self.out.push_str("int main(void)\n{\n\tstruct item local = { PTHREAD_MUTEX_INITIALIZER };\n");
        self.out.push_str(
            "\tstruct item *it = &items[0];\n\tpthread_t t[4];\n\tint made[4] = { 0 };\n\tint i, sum = 0;\n",
        );
        self.line("pthread_spin_init(&spin, 0);");
        self.line("local.b = 1;");
        if self.rng.chance(40) {
            self.line("g0 = 1;");
        }
        if self.rng.chance(30) {
            self.in_loops(workers);
        } else {
            self.one_by_one(workers);
        }
        self.line("usleep(2000);");
        if self.rng.chance(80) {
            for text in [
                "sum += g0 + g1 + g2 + g3;",
                "sum += local.b + items[0].a + items[1].a;",
                "sum += text[0] + flag;",
            ] {
                if self.rng.chance(60) {
                    self.line(text);
                }
            }
        }
        self.line("return sum == 12345;");
        self.out.push_str("}\n");
    }

    /// What a thread gets; `own` is what its maker has.
    fn argument(&mut self, own: &str) -> String {
        match self.rng.below(7) {
            0..=2 => format!("&items[{}]", self.rng.below(4)),
            3 => "&items[1]".to_owned(),
            4 => "items".to_owned(),
            _ => own.to_owned(),
        }
    }

    /// `for` loops make them and wait for them, mostly for all.
    fn in_loops(&mut self, workers: u64) {
        let count = 2 + self.rng.below(3);
        let worker = self.rng.below(workers);
        let arg = self.rng.pick(&["&items[i]", "&items[i]", "&items[0]", "&local"]);
        self.line(&format!("for (i = 0; i < {count}; i++)"));
        self.line(&format!("\tpthread_create(&t[i], NULL, worker{worker}, {arg});"));
        self.statement();
        let joined = if self.rng.chance(self.careless) { count - 1 } else { count };
        let step = if self.rng.chance(self.careless / 4) { "i += 2" } else { "i++" };
        self.line(&format!("for (i = 0; i < {joined}; {step})"));
        self.line("\tpthread_join(t[i], NULL);");
    }

    fn one_by_one(&mut self, workers: u64) {
        let count = 1 + self.rng.below(3);
        for n in 0..count {
            let worker = self.rng.below(workers);
            let arg = self.argument("&local");
            // Now and then, one handle is written over.
            let slot = if self.rng.chance(self.careless / 3) { 0 } else { n };
            let call = match self.rng.below(3) {
                0 => format!("made[{slot}] = start(&t[{slot}], worker{worker}, {arg}) == 0;"),
                _ => format!("made[{slot}] = pthread_create(&t[{slot}], NULL, worker{worker}, {arg}) == 0;"),
            };
            self.line(&call);
            if self.rng.chance(25) {
                self.statement();
            }
            if self.rng.chance(15) {
                self.line(&format!("if (made[{slot}])"));
                self.line(&format!("\tpthread_join(t[{slot}], NULL);"));
                self.line(&format!("made[{slot}] = 0;"));
                self.line("g2++;");
            }
        }
        self.statement();
        for n in 0..count {
            match self.rng.below(100) {
                x if x < self.careless / 2 => continue,
                x if x < 30 => {
                    self.line(&format!("if (made[{n}]) {{"));
                    self.line(&format!("\tkept = t[{n}];"));
                    self.line("\tpthread_join(kept, NULL);");
                    self.line("}");
                }
                _ => {
                    self.line(&format!("if (made[{n}])"));
                    self.line(&format!("\tpthread_join(t[{n}], NULL);"));
                }
            }
            if self.rng.chance(20) {
                self.line("sum += g2 + it->a;");
            }
        }
    }

    /// One step of a thread. Locks are given back before it ends.
    fn statement(&mut self) {
        match self.rng.below(22) {
            0..=6 => self.locked(),
            7 => {
                let access = self.bare();
                self.line(access);
            }
            8 => self.line("atomic_fetch_add(&counter, 1);"),
            9 => self.line("own++;"),
            10 => self.readers(),
            11 => self.try_lock(),
            12 => self.by_flag(),
            13 => self.line("add_locked(it);"),
            14 => {
                self.line("pthread_once(&once, prepare);");
                self.line("sum += g3;");
            }
            15 => self.by_spin(),
            16 => self.list(),
            17 => {
                let text = self.rng.pick(&[
                    "sum += __atomic_load_n(&g2, __ATOMIC_RELAXED);",
                    "__atomic_fetch_add(&g2, 1, __ATOMIC_SEQ_CST);",
                ]);
                self.line(text);
            }
            18 => self.heap(),
            19 if self.rng.chance(self.careless) => self.lend_own(),
            20 => self.line("atomic_store_explicit(&counter, 3, memory_order_relaxed);"),
            _ => self.in_round(),
        }
    }

    fn access(&mut self, text: &str) -> String {
        match self.rng.below(4) {
            0 => format!("sum += {text};"),
            1 => format!("{text} = sum + 1;"),
            _ => format!("{text}++;"),
        }
    }

    fn variable(&mut self) -> Variable {
        self.rng.pick(VARIABLES)
    }

    /// What some programs do without a lock.
    fn bare(&mut self) -> &'static str {
        if self.rng.chance(self.careless) {
            self.rng.pick(&[
                "g2++;",
                "flag = 1;",
                "sum += g0;",
                "memset(text, 0, sizeof(text));",
                "add(it);",
                "it->a++;",
                "text[3] = 1;",
            ])
        } else {
            self.rng.pick(&["sum++;", "i = sum;", "own += 2;", "sum += text[1];"])
        }
    }

    fn locked(&mut self) {
        let variable = self.variable();
        let lock = if self.rng.chance(self.careless) { self.rng.pick(LOCKS) } else { variable.lock };
        let access = self.access(variable.text);
        self.line(&format!("pthread_mutex_lock({lock});"));
        self.line(&access);
        self.line(&format!("pthread_mutex_unlock({lock});"));
        if self.rng.chance(self.careless / 3) {
            self.line(&access);
        }
    }

    fn readers(&mut self) {
        let writes = self.rng.chance(40);
        let shared = !writes || self.rng.chance(self.careless / 2);
        self.line(if shared { "pthread_rwlock_rdlock(&rw);" } else { "pthread_rwlock_wrlock(&rw);" });
        self.line(if writes { "items[3].b = 1;" } else { "sum += items[3].b;" });
        self.line("pthread_rwlock_unlock(&rw);");
    }

    fn try_lock(&mut self) {
        let variable = self.variable();
        let access = self.access(variable.text);
        let lock = variable.lock;
        match self.rng.below(if self.rng.0 % 100 < self.careless { 4 } else { 3 }) {
            0 => {
                self.line(&format!("if (pthread_mutex_trylock({lock}) == 0) {{"));
                self.line(&format!("\t{access}"));
                self.line(&format!("\tpthread_mutex_unlock({lock});"));
                self.line("}");
            }
            1 => {
                self.line(&format!("if (!pthread_mutex_trylock({lock})) {{"));
                self.line(&format!("\t{access}"));
                self.line(&format!("\tpthread_mutex_unlock({lock});"));
                self.line("} else {");
                self.line("\tsum++;");
                self.line("}");
            }
            2 => {
                self.line(&format!("i = pthread_mutex_trylock({lock});"));
                self.line("if (i == 0)");
                self.line(&format!("\t{access}"));
                self.line("if (!i)");
                self.line(&format!("\tpthread_mutex_unlock({lock});"));
            }
            _ => {
                self.line(&format!("i = pthread_mutex_trylock({lock});"));
                self.line(&access);
                self.line("if (!i)");
                self.line(&format!("\tpthread_mutex_unlock({lock});"));
            }
        }
    }

    /// The lock is taken, and the variable touched, if a private flag says so.
    fn by_flag(&mut self) {
        let variable = self.variable();
        let (lock, access) = (variable.lock, self.access(variable.text));
        let careful = !self.rng.chance(self.careless);
        self.line("i = (sum & 1) + 1;");
        self.line(&format!("if (i {} 1)", if careful { ">=" } else { ">" }));
        self.line(&format!("\tpthread_mutex_lock({lock});"));
        self.line(&access);
        self.line(&format!("if (i {} 1)", if careful { ">=" } else { ">" }));
        self.line(&format!("\tpthread_mutex_unlock({lock});"));
    }

    fn by_spin(&mut self) {
        let access = self.access("items[2].b");
        let locked = !self.rng.chance(self.careless / 2);
        if locked {
            self.line("pthread_spin_lock(&spin);");
        }
        self.line(&access);
        if locked {
            self.line("pthread_spin_unlock(&spin);");
        }
    }

    /// A list under a lock; who takes an item out has it for himself.
    fn list(&mut self) {
        let name = if self.rng.chance(self.careless / 2) { "&m1" } else { "&m0" };
        self.line("{");
        self.line("\tstruct item *n = calloc(1, sizeof(*n));");
        self.line("\tif (!n)");
        self.line("\t\treturn 0;");
        self.line("\tn->a = 1;");
        self.line(&format!("\tpthread_mutex_lock({name});"));
        self.line("\tn->next = head;");
        self.line("\thead = n;");
        if self.rng.chance(50) {
            self.line("\thead->b++;");
        }
        self.line(&format!("\tpthread_mutex_unlock({name});"));
        if self.rng.chance(self.careless) {
            self.line("\tn->b++;");
        }
        self.line("}");
    }

    fn heap(&mut self) {
        self.line("{");
        self.line("\tstruct item *n = malloc(sizeof(*n));");
        self.line("\tif (!n)");
        self.line("\t\treturn 0;");
        self.line("\tmemcpy(n, &items[3].next, sizeof(n->next));");
        self.line("\tn->a = sum;");
        self.line("\tadd(n);");
        self.line("\tfree(n);");
        self.line("}");
    }

    /// The address of a thread's own variable goes to others.
    fn lend_own(&mut self) {
        self.line("pthread_mutex_lock(&m0);");
        self.line("if (!shared_own)");
        self.line("\tshared_own = &own;");
        self.line("(*shared_own)++;");
        self.line("pthread_mutex_unlock(&m0);");
        self.line("own++;");
    }

    fn in_round(&mut self) {
        if self.depth > 1 {
            return self.locked();
        }
        let bound = 1 + self.rng.below(3);
        let name = self.rng.pick(&["x", "y"]);
        self.line(&format!("for (int {name} = 0; {name} < {bound}; {name}++) {{"));
        self.depth += 1;
        self.statement();
        self.depth -= 1;
        self.line("}");
    }
}
