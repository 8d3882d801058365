//! Forgets what execution has made and nothing refers to any more: terms, reads whose values nobody uses, objects that
//! nobody reaches. Loops are executed more than once, sites merged, conditions simplified; of what is made for a large
//! call tree, little is left.

use super::lockset::Lockset;
use super::thread::*;
use super::values::Val;
use crate::analysis::layout::Shape;
use lockpair_smt::{Import, Term, TermId, Terms, VarAction, VarId};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Copies what is referred to into a new arena.
pub(super) struct Collector<'a> {
    import: Import<'a>,
    from: &'a Terms,
    into: Terms,
    locksets: HashMap<(*const Vec<TermId>, *const Vec<TermId>), Lockset>,
    flags: HashMap<*const Vec<TermId>, Arc<Vec<TermId>>>,
    /// Lists of terms of the new arena: equal ones are one.
    lists: HashSet<Arc<Vec<TermId>>>,
}

impl Collector<'_> {
    pub(super) fn term(&mut self, t: TermId) -> TermId {
        self.import.term(&mut self.into, t, &mut |_, _| VarAction::Keep)
    }

    fn var(&mut self, v: VarId) -> VarId {
        let t = self.term(self.from.var_term(v));
        match self.into.get(t) {
            Term::Var(v) => v,
            _ => unreachable!("the copy of a variable"),
        }
    }

    fn is_used(&self, v: VarId) -> bool {
        self.import.copied(self.from.var_term(v)).is_some()
    }

    fn handle(&mut self, h: Handle) -> Handle {
        let params = h.params.iter().map(|at| at.map(|at| self.addr(at))).collect();
        let through = h.through.filter(|(v, _)| self.is_used(*v)).map(|(v, bits)| (self.var(v), bits));
        Handle { addr: self.addr(h.addr), params, through, ..h }
    }

    fn same(&mut self, same: &SamePointers) -> SamePointers {
        let through = same.through.iter().map(|&object| self.term(object)).collect();
        SamePointers { pointers: same.pointers.map(|at| self.addr(at)), through }
    }

    fn given(&mut self, given: Given) -> Given {
        Given { var: self.var(given.var), holder: given.holder.map(|at| self.addr(at)), ..given }
    }

    fn addr(&mut self, a: Addr) -> Addr {
        Addr { obj: self.term(a.obj), off: self.term(a.off) }
    }

    fn pointer(&mut self, p: Pointer) -> Pointer {
        let path = p.path.map(|(strukt, at)| (strukt, self.term(at)));
        Pointer { addr: self.addr(p.addr), path, span: p.span }
    }

    pub(super) fn value(&mut self, v: Val) -> Val {
        match v {
            Val::Bool(t) => Val::Bool(self.term(t)),
            Val::Int(t, p) => Val::Int(self.term(t), p.map(|p| self.pointer(p))),
            Val::Ptr(p) => Val::Ptr(self.pointer(p)),
            Val::Opaque => Val::Opaque,
        }
    }

    fn list(&mut self, list: &[TermId]) -> Arc<Vec<TermId>> {
        let new: Vec<TermId> = list.iter().map(|&t| self.term(t)).collect();
        if let Some(known) = self.lists.get(&new) {
            return Arc::clone(known);
        }
        let new = Arc::new(new);
        self.lists.insert(Arc::clone(&new));
        new
    }

    pub(super) fn lockset(&mut self, held: &Lockset) -> Lockset {
        if let Some(known) = self.locksets.get(&held.address()) {
            return known.clone();
        }
        let new = held.map(self.from, |list| self.list(list));
        self.locksets.insert(held.address(), new.clone());
        new
    }

    pub(super) fn flags(&mut self, flags: &Arc<Vec<TermId>>) -> Arc<Vec<TermId>> {
        if let Some(known) = self.flags.get(&Arc::as_ptr(flags)) {
            return known.clone();
        }
        let new = self.list(flags);
        self.flags.insert(Arc::as_ptr(flags), new.clone());
        new
    }

    fn site(&mut self, site: &Site) -> Site {
        let extent = match site.extent {
            Extent::Bytes(len) => Extent::Bytes(self.term(len)),
            Extent::Object => Extent::Object,
        };
        Site {
            guard: self.term(site.guard),
            addr: self.addr(site.addr),
            extent,
            base: site.base.map(|t| self.term(t)),
            value: site.value.map(|a| self.addr(a)),
            held: self.lockset(&site.held),
            cpu: self.term(site.cpu),
            events: self.flags(&site.events),
            ..*site
        }
    }

    /// Where the reads and what loops carry come from, of which anything depends on: from each other, too.
    fn sources(&mut self, loads: &[SharedLoad], carried: &[Carried]) {
        loop {
            let size = self.into.len();
            for load in loads.iter().rev() {
                let used = match load.vars {
                    LoadVars::Int(v, _) => self.is_used(v),
                    LoadVars::Ptr(obj, off) => self.is_used(obj) || self.is_used(off),
                };
                if used {
                    self.addr(load.addr);
                }
            }
            for one in carried.iter().rev().filter(|one| self.is_used(one.var)).collect::<Vec<_>>() {
                self.term(one.first);
                one.again.iter().for_each(|&t| _ = self.term(t));
            }
            if self.into.len() == size {
                return;
            }
        }
    }

    /// What loops carry, of which anything depends on; what one begins with was carried by others before.
    fn carried(&mut self, carried: Vec<Carried>) -> Vec<Carried> {
        let mut used = Vec::new();
        for one in carried.into_iter().rev() {
            if self.is_used(one.var) {
                let again = one.again.iter().map(|&t| self.term(t)).collect();
                used.push(Carried { var: self.var(one.var), first: self.term(one.first), again });
            }
        }
        used.reverse();
        used
    }

    /// The reads whose values anything depends on; what their addresses depend on was read before.
    fn loads(&mut self, loads: Vec<SharedLoad>) -> Vec<SharedLoad> {
        let mut used = Vec::new();
        for load in loads.into_iter().rev() {
            let vars = match load.vars {
                LoadVars::Int(v, bits) if self.is_used(v) => LoadVars::Int(self.var(v), bits),
                LoadVars::Ptr(obj, off) if self.is_used(obj) || self.is_used(off) => {
                    LoadVars::Ptr(self.var(obj), self.var(off))
                }
                LoadVars::Int(..) | LoadVars::Ptr(..) => continue,
            };
            used.push(SharedLoad { vars, addr: self.addr(load.addr), ..load });
        }
        used.reverse();
        used
    }
}

/// Of the objects that went where nobody follows, only what is known of them counts ([`crate::analysis::origins`]): the
/// member that a pointer was read from, or nothing, and nothing at all of what code outside has given. Those that `rest`
/// refers to, a procedure's parameters, may become others at each call.
fn one_of_each_kind(
    c: &Collector,
    kept: &BTreeSet<TermId>,
    loads: &[SharedLoad],
    given: &[Given],
    is_member: &dyn Fn(Shape) -> bool,
) -> Vec<TermId> {
    let read = |load: &SharedLoad| match load.vars {
        LoadVars::Ptr(obj, _) => Some((obj, load.shape)),
        LoadVars::Int(..) => None,
    };
    let read: HashMap<VarId, Shape> = loads.iter().filter_map(read).collect();
    let given: HashSet<VarId> = given.iter().map(|given| given.var).collect();
    let mut known = HashSet::new();
    let mut is_new = |v: VarId| match read.get(&v) {
        _ if c.is_used(v) && !read.contains_key(&v) => true,
        // Which members it may be depends on where it was read.
        Some(shape) if !is_member(*shape) => true,
        Some(shape) => known.insert(Some(*shape)),
        None => !given.contains(&v) && known.insert(None),
    };
    let counts = |t: &TermId| match c.from.get(*t) {
        Term::Var(v) => is_new(v),
        _ => true,
    };
    kept.iter().copied().filter(counts).collect()
}

/// The thread without what nothing refers to; `rest`, which may refer to more; and the positions of the thread's own
/// objects that are left. `is_member` tells whether bytes of a shape are those of one member.
pub(super) fn collect<R>(
    thread: Thread,
    is_member: &dyn Fn(Shape) -> bool,
    rest: impl FnOnce(&mut Collector) -> R,
) -> (Thread, R, Vec<usize>) {
    // In full: a new field may hold terms.
    let Thread {
        entry,
        highest,
        terms: from,
        locals,
        made_by,
        on_stack,
        lost,
        repeated,
        kept,
        spread,
        given,
        sites,
        hidden,
        locks,
        events,
        loads,
        carried,
        named,
        followed,
        handles,
        bound,
        same,
        host,
        hosted,
        stacks,
        checkpoints,
        releases,
        left: held_at_end,
        strays,
        without,
        returned,
        begun,
        unbinding,
        of_own_device,
        ends,
        initial,
        several,
        ledger,
        instructions,
    } = thread;
    let mut c = Collector {
        import: Import::new(&from),
        from: &from,
        into: Terms::new(),
        locksets: HashMap::new(),
        flags: HashMap::new(),
        lists: HashSet::new(),
    };
    let rest = rest(&mut c);
    let kept = one_of_each_kind(&c, &kept, &loads, &given, is_member);
    let sites = sites.iter().map(|site| c.site(site)).collect();
    let hidden = hidden
        .into_iter()
        .map(|h| HiddenWrite {
            guard: c.term(h.guard),
            addr: c.addr(h.addr),
            value: h.value.map(|a| c.addr(a)),
            ..h
        })
        .collect();
    let locks = locks.into_iter().map(|lock| Lock { addr: c.addr(lock.addr), ..lock }).collect();
    let events = events
        .into_iter()
        .map(|event| Event {
            handle: c.addr(event.handle),
            argument: event.argument.map(|(n, at)| (n, c.addr(at))),
            through: event.through.map(|t| c.term(t)),
            until: event.until.map(|device| c.addr(device)),
            before: c.flags(&event.before),
            ..event
        })
        .collect();
    let handles = handles.into_iter().map(|h| c.handle(h)).collect();
    let bound = bound.into_iter().map(|h| c.handle(h)).collect();
    let same = same.iter().map(|same| c.same(same)).collect();
    let host = host.map(|read| HostRead { itself: c.addr(read.itself), host: c.addr(read.host), ..read });
    let hosted = hosted
        .into_iter()
        .map(|h| Hosted { at: c.addr(h.at), value: c.addr(h.value), kept: h.kept.map(|at| c.addr(at)), ..h })
        .collect();
    let ends = ends
        .into_iter()
        .map(|end| End { at: c.addr(end.at), own: end.own.iter().map(|&at| c.addr(at)).collect(), ..end })
        .collect();
    let used: Vec<Named> =
        named.into_iter().filter(|n| c.is_used(n.handle.0) && c.is_used(n.handle.1)).collect();
    let named = used
        .into_iter()
        .map(|n| Named { handle: (c.var(n.handle.0), c.var(n.handle.1)), place: c.addr(n.place), ..n })
        .collect();
    let kept = kept.into_iter().map(|t| c.term(t)).collect();
    let spread = spread.into_iter().map(|t| c.term(t)).collect();
    let held_at_end = held_at_end.into_iter().map(|(lock, when)| (lock, c.term(when))).collect();
    let strays = strays.into_iter().map(|stray| Stray { when: c.term(stray.when), ..stray }).collect();
    let without = without.into_iter().map(|(flag, when)| (flag, c.term(when))).collect();
    let checkpoints = checkpoints.into_iter().map(|at| Checkpoint {
        guard: c.term(at.guard),
        events: c.flags(&at.events),
        held: c.lockset(&at.held),
        ..at
    });
    let checkpoints = checkpoints.collect();
    let begun = begun.map(|when| c.term(when));
    let returned = returned.map(|end| Returned {
        guard: c.term(end.guard),
        fails: c.term(end.fails),
        events: c.flags(&end.events),
        held: c.lockset(&end.held),
        cpu: c.term(end.cpu),
        published: end.published.into_iter().map(|(event, when)| (event, c.term(when))).collect(),
    });
    c.sources(&loads, &carried);
    let carried = c.carried(carried);
    let loads = c.loads(loads);
    let given = given.into_iter().filter(|given| c.is_used(given.var)).collect::<Vec<_>>();
    let given = given.into_iter().map(|given| c.given(given)).collect();
    let left: Vec<usize> = (0..locals.len()).filter(|&n| c.is_used(locals[n])).collect();
    c.into.shrink_to_fit();
    let thread = Thread {
        entry,
        highest,
        locals: left.iter().map(|&n| c.var(locals[n])).collect(),
        made_by: left.iter().map(|&n| made_by[n]).collect(),
        on_stack: left.iter().map(|&n| on_stack[n]).collect(),
        lost: left.iter().map(|&n| lost[n]).collect(),
        repeated: left.iter().map(|&n| repeated[n].clone()).collect(),
        kept,
        spread,
        given,
        sites,
        hidden,
        locks,
        events,
        loads,
        carried,
        named,
        followed,
        handles,
        bound,
        same,
        host,
        hosted,
        stacks,
        checkpoints,
        releases,
        left: held_at_end,
        strays,
        without,
        returned,
        begun,
        unbinding,
        of_own_device,
        ends,
        initial,
        several,
        ledger,
        instructions,
        terms: c.into,
    };
    (thread, rest, left)
}
