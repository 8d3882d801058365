//! What a pair costs: queries shaped like those of two threads' access sites, building terms,
//! importing them, and the way to the solver's thread and back.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lockpair_smt::{Answer, Import, Limits, Session, Sort, TermId, Terms, VarAction};

/// A small deterministic source of numbers.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// One access site: its condition and the object of the lock held there.
struct Site {
    guard: TermId,
    lock: TermId,
}

/// An entry point: a chain of branches with accesses at (object, offset), most of them under a lock.
fn entry_point(terms: &mut Terms, seed: u64, sites: usize) -> Vec<Site> {
    let mut random = Lcg(seed);
    let stable = terms.func("stable", 2, Sort::Int, Some((0, 1 << 20)));
    let (w_object, w_offset) = watched(terms);
    let mut path = terms.tru();
    let mut state = terms.fresh("state", Sort::Int, Some((0, 255)));
    let mut object = terms.fresh("param", Sort::Int, Some((1, 1 << 20)));
    let none = terms.int(-1);
    let mut lock = none;
    let mut found = Vec::new();
    for _ in 0..sites {
        let k = terms.int(i128::from(random.below(8)));
        let branch = terms.fresh("branch", Sort::Bool, None);
        let is_k = terms.eq(state, k);
        let c = terms.or2(branch, is_k);
        let taken = terms.and2(path, c);
        match random.below(4) {
            0 => path = taken,
            1 => {
                let offset = terms.int(8 * i128::from(random.below(16)));
                object = terms.app(stable, &[object, offset]);
            }
            2 => {
                let next = terms.fresh("next", Sort::Int, Some((0, 255)));
                state = terms.ite(c, next, state);
                lock = terms.ite(c, object, lock);
            }
            _ => lock = object,
        }
        let index = terms.fresh("index", Sort::Int, Some((0, 63)));
        let field = terms.int(8 * i128::from(random.below(16)));
        let scaled = terms.mul_const(16, index);
        let start = terms.add2(scaled, field);
        let eight = terms.int(8);
        let end = terms.add2(start, eight);
        let (same, low, high) =
            (terms.eq(object, w_object), terms.le(start, w_offset), terms.lt(w_offset, end));
        let guard = terms.and(&[taken, same, low, high]);
        found.push(Site { guard, lock });
    }
    found
}

fn watched(terms: &mut Terms) -> (TermId, TermId) {
    let object = terms.shared_var("w.object", Sort::Int, Some((1, 1 << 20)));
    let offset = terms.shared_var("w.offset", Sort::Int, Some((0, 4096)));
    (object, offset)
}

/// The pair's terms: some site of each side is reached, and their locks differ.
fn pair(into: &mut Terms, sides: [(&Terms, &[Site]); 2]) -> TermId {
    let mut reached = Vec::new();
    for (side, (from, sites)) in (1..).zip(sides) {
        let mut import = Import::new(from);
        let mut rename = |_: &mut Terms, v| match from.var(v).name.shared() {
            Some(_) => VarAction::Keep,
            None => VarAction::Local(side),
        };
        let held = into.fresh("held", Sort::Int, None);
        let mut any = Vec::new();
        for site in sites {
            let guard = import.term(into, site.guard, &mut rename);
            let lock = import.term(into, site.lock, &mut rename);
            let holds = into.eq(held, lock);
            any.push(into.and2(guard, holds));
        }
        reached.push((into.or(&any), held));
    }
    let [(t, held_t), (u, held_u)] = reached[..] else { unreachable!("two sides") };
    let differ = into.ne(held_t, held_u);
    let zero = into.int(0);
    let (free_t, free_u) = (into.lt(held_t, zero), into.lt(held_u, zero));
    let unlocked = into.or(&[differ, free_t, free_u]);
    into.and(&[t, u, unlocked])
}

struct Pair {
    arenas: [Terms; 2],
    sites: [Vec<Site>; 2],
}

impl Pair {
    fn new(seed: u64, sites: usize) -> Self {
        let mut arenas = [Terms::new(), Terms::new()];
        let [t, u] = &mut arenas;
        let sites = [entry_point(t, 2 * seed, sites), entry_point(u, 2 * seed + 1, sites)];
        Pair { arenas, sites }
    }

    fn query(&self, into: &mut Terms) -> TermId {
        let side = |i: usize| (&self.arenas[i], &self.sites[i][..]);
        pair(into, [side(0), side(1)])
    }
}

/// Checks, and enumerates a few more answers as a report does.
fn solve(terms: &mut Terms, root: TermId) -> usize {
    let mut session = Session::new(&Limits::default());
    session.assert(terms, root);
    let (_, offset) = watched(terms);
    let lockpair_smt::Term::Var(v) = terms.get(offset) else { unreachable!("a variable") };
    let mut answers = 0;
    while let Answer::Sat(model) = session.check(terms, &[]) {
        answers += 1;
        if answers == 3 {
            break;
        }
        let value = terms.int(model.int(v).unwrap_or(0));
        let other = terms.ne(offset, value);
        session.assert(terms, other);
    }
    answers
}

fn benches(c: &mut Criterion) {
    for sites in [10, 40, 150] {
        let pairs: Vec<Pair> = (0..20).map(|seed| Pair::new(seed, sites)).collect();
        let sizes: usize = pairs
            .iter()
            .map(|pair| {
                let mut into = Terms::new();
                let root = pair.query(&mut into);
                into.reachable(&[root], |_| false).len()
            })
            .sum();
        println!("{sites} sites: {} nodes per query", sizes / pairs.len());
        let mut at = 0;
        let mut next = || {
            at = (at + 1) % pairs.len();
            &pairs[at]
        };
        c.bench_function(&format!("import/{sites}"), |b| {
            b.iter(|| {
                let mut into = Terms::new();
                black_box(next().query(&mut into))
            });
        });
        c.bench_function(&format!("solve/{sites}"), |b| {
            b.iter_batched(
                || {
                    let mut into = Terms::new();
                    let root = next().query(&mut into);
                    (into, root)
                },
                |(mut into, root)| solve(&mut into, root),
                BatchSize::SmallInput,
            );
        });
    }
    c.bench_function("entry_point/1000", |b| b.iter(|| entry_point(&mut Terms::new(), 7, 1000).len()));
    c.bench_function("session/trivial", |b| {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bool, None);
        b.iter(|| {
            let mut session = Session::new(&Limits::default());
            session.assert(&terms, x);
            session.check(&terms, &[]).is_unsat()
        });
    });
    c.bench_function("session/again", |b| {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bool, None);
        let mut session = Session::new(&Limits::default());
        session.assert(&terms, x);
        b.iter(|| session.check(&terms, &[]).is_unsat());
    });
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2)).warm_up_time(std::time::Duration::from_millis(300));
    targets = benches
}
criterion_main!(all);
