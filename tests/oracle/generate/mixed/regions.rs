//! A region of a function: a lock is taken in some way, what it protects is accessed, and it is given back; or one of
//! many ways to get that wrong.

use super::accesses::{mark, reads, writes};
use super::{Generator, Group, Kind, LOCKS, LockExpr};

impl Generator {
    fn lock_text(&self, lock: LockExpr) -> String {
        lock.text.replace('@', "d")
    }

    /// A lock, accesses to what it protects, and its release: or one of many ways to get that wrong.
    pub fn region(&mut self, index: usize, fails: bool) {
        let right = self.w.rng.chance(self.profile.discipline);
        let used = if right { index } else { self.w.rng.below(self.profile.locks.len() as u64) as usize };
        let lock =
            if right || self.w.rng.chance(50) { self.profile.locks[used] } else { self.w.rng.pick(LOCKS) };
        if right || self.w.rng.chance(40) {
            self.proper(lock, index, fails);
        } else {
            self.improper(lock, index);
        }
    }

    fn proper(&mut self, lock: LockExpr, index: usize, fails: bool) {
        let l = self.lock_text(lock);
        let own = lock.text == "&@->lock";
        match self.w.rng.below(14) {
            0 if lock.kind != Kind::Rw => {
                let call = try_of(lock.kind, &l);
                self.w.open_brace(&format!("if ({call}) {{"));
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.w.close_brace("}");
            }
            1 if lock.kind == Kind::Mutex && fails => {
                self.w.line(&format!("if (mutex_lock_interruptible({l}))"));
                self.w.line("\treturn -4;");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            2 if lock.kind != Kind::Rw && fails => {
                let call = try_of(lock.kind, &l);
                self.w.line(&format!("if (!{call})"));
                self.w.line("\treturn -16;");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            3 if own => {
                self.w.line("take(d);");
                self.accesses(index, false);
                self.w.line("give(d);");
            }
            4 if own && fails => {
                self.w.line("if (try_take(d))");
                self.w.line("\treturn -16;");
                self.accesses(index, false);
                self.w.line("give(d);");
            }
            5 if lock.kind == Kind::Mutex => {
                let m = self.w.name("m");
                self.w.line(&format!("struct mutex *{m} = {l};"));
                self.w.line(&format!("mutex_lock({m});"));
                self.accesses(index, false);
                self.w.line(&self.rng_pick_release(&m));
            }
            6 => {
                let i = self.w.name("i");
                self.w.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.take(lock, &l, false);
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.w.close_brace("}");
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
                let c = self.w.name("c");
                self.w.line(&format!("unsigned int {c} = rnd();"));
                self.w.line(&format!("if ({c} & 1)"));
                self.nested_take(lock, &l);
                self.w.open_brace(&format!("if ({c} & 1) {{"));
                self.accesses(index, false);
                self.w.close_brace("}");
                self.w.line(&format!("if ({c} & 1)"));
                self.w.depth += 1;
                self.give(lock, &l, false);
                self.w.depth -= 1;
            }
            9 => {
                let i = self.w.name("i");
                self.take(lock, &l, false);
                self.w.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.accesses(index, false);
                self.give(lock, &l, false);
                self.take(lock, &l, false);
                self.w.close_brace("}");
                self.accesses(index, false);
                self.give(lock, &l, false);
            }
            10 => {
                let out = self.w.name("out");
                self.take(lock, &l, false);
                self.w.line("if (rnd() & 1)");
                self.w.line(&format!("\tgoto {out};"));
                self.accesses(index, false);
                self.w.depth -= 1;
                self.w.line(&format!("{out}:"));
                self.w.depth += 1;
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
        if self.w.names.is_multiple_of(2) { format!("give_any({m});") } else { format!("mutex_unlock({m});") }
    }

    fn improper(&mut self, lock: LockExpr, index: usize) {
        let l = self.lock_text(lock);
        match self.w.rng.below(22) {
            0 => self.accesses(index, false),
            16 if lock.kind == Kind::Mutex => {
                self.take(lock, &l, false);
                self.w.line(&format!("deep_give({l}, 1);"));
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
                self.w.line("if (rnd() & 1)");
                self.w.depth += 1;
                self.give(lock, &l, false);
                self.w.depth -= 1;
                self.accesses(index, false);
            }
            3 => {
                let i = self.w.name("i");
                self.take(lock, &l, false);
                self.w.open_brace(&format!("for (int {i} = 0; {i} < 2; {i}++) {{"));
                self.accesses(index, false);
                self.w.line(&format!("if ({i} == 0)"));
                self.w.depth += 1;
                self.give(lock, &l, false);
                self.w.depth -= 1;
                self.w.close_brace("}");
            }
            4 if lock.kind != Kind::Rw => {
                self.w.line(&format!("{};", try_of(lock.kind, &l)));
                self.accesses(index, false);
            }
            5 if lock.kind != Kind::Rw => {
                let call = try_of(lock.kind, &l);
                self.w.open_brace(&format!("if (!{call}) {{"));
                self.accesses(index, false);
                self.w.close_brace("}");
            }
            6 if lock.kind == Kind::Mutex => {
                self.w.open_brace(&format!("if (mutex_lock_interruptible({l})) {{"));
                self.accesses(index, false);
                self.w.close_brace("}");
            }
            7 => {
                self.take(lock, &l, false);
                self.w.line("give_any(d->lockp);");
                self.accesses(index, false);
            }
            8 => {
                self.w.line("take(d);");
                self.w.line("give(d->peer);");
                self.accesses(index, false);
            }
            9 => {
                self.w.line("take(d);");
                self.w.line("give(d);");
                self.accesses(index, false);
            }
            10 if lock.kind == Kind::Rw => {
                self.take(lock, &l, true);
                self.accesses(index, false);
                self.give(lock, &l, true);
            }
            11 => self.wrapping(index),
            12 => {
                let other = self.w.rng.pick(&[
                    "mutex_lock(&D1.lock);",
                    "mutex_lock(&gm2);",
                    "_raw_spin_lock(&D1.slock);",
                ]);
                self.w.line(other);
                self.accesses(index, false);
                self.w.line(&other.replace("lock(", "unlock("));
            }
            13 => {
                self.w.open_brace("if (READ_ONCE(d->cnt.counter) == 0) {");
                self.accesses(index, false);
                self.w.close_brace("}");
            }
            14 => {
                let call = self.w.rng.pick(&["act", "other"]);
                self.w.line(&format!("d->actions->{call}(d);"));
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
        let n = self.w.name("n");
        let (ty, guard) = self.w.rng.pick(&[
            ("unsigned int", "@ + 16 < @"),
            ("u8", "(u8)(@ + 1) < @"),
            ("u16", "(u16)(@ + 2) < @"),
            ("unsigned int", "@ - 1 > @"),
            ("unsigned int", "@ * 4 < @"),
            ("u8", "(u8)(@ << 1) < @"),
            ("unsigned int", "(u8)@ != @"),
            ("int", "@ < 0"),
        ]);
        self.w.line(&format!("{ty} {n} = rnd();"));
        self.w.open_brace(&format!("if ({}) {{", guard.replace('@', &n)));
        self.accesses(index, false);
        self.w.close_brace("}");
    }

    /// Another path takes the lock.
    fn other_path(&mut self, lock: LockExpr, l: &str, index: usize) {
        let c = self.w.name("c");
        self.w.line(&format!("unsigned int {c} = rnd();"));
        self.w.line(&format!("if ({c} & 1)"));
        self.nested_take(lock, l);
        self.accesses(index, false);
        self.w.line(&format!("if ({c} & 1)"));
        self.w.depth += 1;
        self.give(lock, l, false);
        self.w.depth -= 1;
    }

    /// What the first iteration does not do, a later one does.
    fn late_iteration(&mut self, index: usize) {
        let (i, k) = (self.w.name("i"), self.w.name("k"));
        self.w.line(&format!("int {k} = 0;"));
        self.w.line(&format!("int *{k}p = &{k};"));
        self.w.open_brace(&format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
        let seen = self.w.rng.pick(&["@ == 2", "#p[0] == 1", "# == 2"]).replace('@', &i).replace('#', &k);
        self.w.open_brace(&format!("if ({seen}) {{"));
        self.accesses(index, false);
        self.w.close_brace("}");
        self.w.line(&format!("bump({k}p);"));
        self.w.close_brace("}");
    }

    fn default_case(&mut self, index: usize) {
        self.w.open_brace("switch (rnd()) {");
        for case in [5, 6] {
            self.w.line(&format!("case {case}:"));
            self.w.line("\tbreak;");
        }
        self.w.open_brace("default: {");
        self.accesses(index, false);
        self.w.close_brace("}");
        self.w.close_brace("}");
    }

    /// The lock of an object that nobody else has, for data that others have.
    fn own_lock(&mut self, index: usize) {
        let o = self.w.name("o");
        self.w.line(&format!("struct dev *{o} = kzalloc(sizeof(*{o}), 0);"));
        self.w.open_brace(&format!("if ({o}) {{"));
        if self.w.rng.chance(50) {
            self.w.line(&format!("WRITE_ONCE(P.peer, {o});"));
        }
        self.w.line(&format!("mutex_lock(&{o}->lock);"));
        self.accesses(index, false);
        self.w.line(&format!("mutex_unlock(&{o}->lock);"));
        self.w.close_brace("}");
    }

    /// One of two locks, nobody knows which.
    fn chosen_lock(&mut self, index: usize) {
        let m = self.w.name("m");
        let which = self.w.rng.pick(&[
            "rnd() ? &gm : &gm2",
            "rnd() & 1 ? &d->lock : &gm",
            "rnd() ? d->lockp : &gm",
            "&(rnd() ? &D0 : &D1)->lock",
        ]);
        self.w.line(&format!("struct mutex *{m} = {which};"));
        self.w.line(&format!("mutex_lock({m});"));
        self.accesses(index, false);
        self.w.line(&format!("mutex_unlock({m});"));
    }

    fn nested_take(&mut self, lock: LockExpr, l: &str) {
        self.w.depth += 1;
        self.take(lock, l, false);
        self.w.depth -= 1;
    }

    fn take(&mut self, lock: LockExpr, l: &str, read: bool) {
        let function = match lock.kind {
            Kind::Mutex => "mutex_lock",
            Kind::Spin => "_raw_spin_lock",
            Kind::Rw if read => "_raw_read_lock",
            Kind::Rw => "_raw_write_lock",
        };
        self.w.line(&format!("{function}({l});"));
    }

    fn give(&mut self, lock: LockExpr, l: &str, read: bool) {
        let function = match lock.kind {
            Kind::Mutex => "mutex_unlock",
            Kind::Spin => "_raw_spin_unlock",
            Kind::Rw if read => "_raw_read_unlock",
            Kind::Rw => "_raw_write_unlock",
        };
        self.w.line(&format!("{function}({l});"));
    }

    /// One to three accesses to what the lock protects.
    pub fn accesses(&mut self, index: usize, reads_only: bool) {
        if self.deep && self.w.rng.chance(60) {
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
        for _ in 0..1 + self.w.rng.below(2) {
            let group = self.w.rng.pick(&groups);
            let write = !reads_only && self.w.rng.chance(60);
            self.access(group, "d", write);
        }
    }

    /// Accesses without a lock, where none is needed.
    pub fn plain_accesses(&mut self, object: &str, most: u64) {
        for _ in 0..self.w.rng.below(most + 1) {
            let at = self.w.rng.below(self.profile.groups.len() as u64) as usize;
            let group = self.profile.groups[at].0;
            self.access(group, object, true);
        }
    }

    fn access(&mut self, group: Group, d: &str, write: bool) {
        let x = self.w.name("x");
        let marked = self.profile.marked && self.w.rng.chance(40);
        let choices = if write { writes(group) } else { reads(group) };
        let text = self.w.rng.pick(choices).replace('@', d).replace('%', &x);
        let text = if marked { mark(&x, group, d, write).unwrap_or(text) } else { text };
        for line in text.lines() {
            self.w.line(line);
        }
    }
}

fn try_of(kind: Kind, l: &str) -> String {
    match kind {
        Kind::Mutex => format!("mutex_trylock({l})"),
        Kind::Spin | Kind::Rw => format!("_raw_spin_trylock({l})"),
    }
}
