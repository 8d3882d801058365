//! What is in memory: loads, stores and copies.

use std::collections::btree_map::Entry;
use std::rc::Rc;

use lockpair_env::schema::CallbackRow;
use lockpair_ir::{LocId, Operand, Ty};

use super::{Cell, Flow, Site, Stored, Target, Token, Tokens};
use crate::place::{self, Member, Place};
use crate::spot::SpotId;

impl<'a> Flow<'a> {
    pub(super) fn targets(&mut self, site: Site, addr: Operand) -> Rc<Vec<Target>> {
        if let Some(targets) = self.targets.get(&(site.func, site.inst)) {
            return Rc::clone(targets);
        }
        let places = place::places(self.module, site.func, addr);
        let targets = Rc::new(self.interned(places));
        self.targets.insert((site.func, site.inst), Rc::clone(&targets));
        targets
    }

    pub(super) fn interned(&mut self, places: Vec<Place>) -> Vec<Target> {
        let target = |place: Place| Target { spot: self.spots.intern(place.members), global: place.global };
        places.into_iter().map(target).collect()
    }

    pub(super) fn load(&mut self, site: Site, addr: Operand) -> Tokens {
        self.note_read_by_index(site, addr);
        let objects = self.addressed(site.func, addr);
        if objects.is_empty() {
            return Tokens::new();
        }
        let targets = self.targets(site, addr);
        let mut out = Tokens::new();
        for object in objects {
            for target in targets.iter() {
                self.load_spot(object, target.spot, &mut out);
            }
        }
        out
    }

    pub(super) fn load_spot(&mut self, object: Token, spot: SpotId, out: &mut Tokens) {
        match object {
            Token::Func(_) => {}
            Token::Unknown => self.load_unknown(spot, out),
            Token::Global(_) | Token::Stack(..) => {
                let groups = self.objects.get(&object).into_iter().flat_map(|content| &content.tokens);
                for (other, tokens) in groups {
                    if self.spots.may_coincide(*other, spot) {
                        out.extend(tokens);
                    }
                }
                if out.contains(&Token::Unknown) {
                    self.load_unknown(spot, out);
                }
            }
        }
    }

    /// Unknown memory holds anything; what is known to be put into such members is named too, so that a
    /// registration that goes through them is found.
    pub(super) fn load_unknown(&self, spot: SpotId, out: &mut Tokens) {
        out.insert(Token::Unknown);
        let keys = &self.spots.get(spot).keys;
        out.extend(keys.iter().filter_map(|key| self.shared.get(key)).flatten());
    }

    pub(super) fn written_outside(&self, object: Token) -> bool {
        let constant = match object {
            Token::Global(g) => self.module.globals[g].constant && self.module.globals[g].defined,
            Token::Func(_) | Token::Stack(..) | Token::Unknown => false,
        };
        !constant && self.escaped.contains_key(&object)
    }

    pub(super) fn store(&mut self, site: Site, addr: Operand, value: Operand) -> Tokens {
        if self.module.funcs[site.func].operand_ty(value) == Ty::Ptr {
            self.note_other_table(site, addr);
        }
        let tokens = self.tokens(site.func, value);
        if !tokens.is_empty() {
            let targets = self.targets(site, addr);
            self.put(site, addr, &targets, &tokens);
        }
        Tokens::new()
    }

    pub(super) fn exchange(&mut self, site: Site, addr: Operand, value: Operand) -> Tokens {
        self.store(site, addr, value);
        self.load(site, addr)
    }

    /// Puts the tokens in memory, at an address that is one of the targets.
    pub(super) fn put(&mut self, site: Site, addr: Operand, targets: &[Target], tokens: &Tokens) {
        let mut objects = self.addressed(site.func, addr);
        objects.retain(|object| !matches!(object, Token::Func(_)));
        self.put_in(site, &objects, targets, tokens);
    }

    pub(super) fn put_in(&mut self, site: Site, objects: &Tokens, targets: &[Target], tokens: &Tokens) {
        for target in targets {
            if tokens.contains(&Token::Unknown) {
                self.note_unknown_function(target.spot);
            }
            for &token in tokens {
                let explained = self.explain(site, *target, token);
                for &object in objects {
                    let cell = Cell { spot: target.spot, token, offset: None, explained };
                    self.put_cell(object, cell, site.loc);
                }
            }
        }
    }

    /// Something unknown is put somewhere in what the address points into.
    pub(super) fn put_anything(&mut self, site: Site, addr: Operand) {
        let anywhere = Target { spot: self.spots.unknown(), global: None };
        self.put(site, addr, &[anywhere], &Tokens::from([Token::Unknown]));
    }

    /// Whether rows say who calls the function that is stored at the place; then they are noted.
    pub(super) fn explain(&mut self, site: Site, target: Target, token: Token) -> bool {
        let Token::Func(func) = token else { return false };
        let spot = self.spots.get(target.spot);
        if !spot.rows.is_empty() && self.noted.insert((func, site.func, site.inst, target)) {
            let (table, loc) = (target.global, site.loc);
            let fact = |(member, row): &(Member, &'a CallbackRow)| {
                let member = member.clone();
                Stored { func, row, member, table, loc }
            };
            self.stored.extend(spot.rows.iter().map(fact));
        }
        !spot.rows.is_empty()
    }

    pub(super) fn put_cell(&mut self, object: Token, cell: Cell, loc: Option<LocId>) {
        match object {
            Token::Func(_) => {}
            Token::Unknown => self.put_unknown(cell, loc),
            Token::Global(_) | Token::Stack(..) => {
                let content = self.objects.entry(object).or_default();
                if let Entry::Vacant(entry) = content.cells.entry(cell) {
                    entry.insert(loc);
                    content.tokens.entry(cell.spot).or_default().insert(cell.token);
                    self.memory_grew(object);
                }
            }
        }
    }

    pub(super) fn put_unknown(&mut self, cell: Cell, loc: Option<LocId>) {
        if cell.token == Token::Unknown {
            return;
        }
        if !cell.explained {
            self.leave(cell, loc);
        }
        for key in self.spots.get(cell.spot).keys.clone() {
            if self.shared.entry(key).or_default().insert(cell.token) {
                self.memory_grew(Token::Unknown);
            }
        }
    }

    pub(super) fn memory_grew(&mut self, object: Token) {
        *self.growth.entry(object).or_default() += 1;
        self.now.memory += 1;
        self.changed = true;
    }

    /// Copies what the source's cells hold. `len` bounds it if it is a constant.
    pub(super) fn copy(&mut self, site: Site, dst: Operand, src: Operand, len: Option<Operand>) -> Tokens {
        let start = match src {
            Operand::Global(_, start) => Some(start),
            _ => None,
        };
        for object in self.addressed(site.func, src) {
            for (cell, _) in self.cells(object) {
                let offset = start.and_then(|start| i64::try_from(cell.offset?).ok()?.checked_sub(start));
                if offset.is_none_or(|offset| is_below(offset, len)) {
                    self.copy_cell(site, dst, cell, offset);
                }
            }
            if object == Token::Unknown {
                self.put_anything(site, dst);
            }
        }
        Tokens::new()
    }

    pub(super) fn copy_cell(&mut self, site: Site, dst: Operand, cell: Cell, offset: Option<i64>) {
        if cell.explained {
            // The table that it is copied from is an entry point's already.
            for object in self.addressed(site.func, dst) {
                self.put_cell(object, Cell { offset: None, ..cell }, site.loc);
            }
            return;
        }
        // The cell knows its member if its object has a declared type; constants that the compiler makes for
        // initializers of locals have none, and the destination tells.
        let targets = match offset {
            Some(offset) if cell.spot == self.spots.unknown() => {
                self.interned(place::places_beyond(self.module, site.func, dst, offset))
            }
            _ => vec![Target { spot: cell.spot, global: None }],
        };
        self.put(site, dst, &targets, &Tokens::from([cell.token]));
    }
}

/// Whether the offset lies in `[0, len)`; yes if the length is not a constant.
fn is_below(offset: i64, len: Option<Operand>) -> bool {
    match len {
        Some(Operand::Int { value, .. }) => u128::try_from(offset).is_ok_and(|offset| offset < value),
        _ => offset >= 0,
    }
}
