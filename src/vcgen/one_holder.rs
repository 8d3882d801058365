//! What is reached from one place only: both sides have it from that one.

use super::condition::Condition;
use super::side::{Element, Held};
use crate::analysis::origins::Slot;
use lockpair_ir::EntityRef;
use lockpair_smt::{Sort, TermId, Terms};
use std::collections::HashSet;

impl Condition<'_> {
    /// What only one member holds a pointer to, both sides have from that one: the holder is a function of
    /// the object (assumption `unique-owner`).
    pub(super) fn holders_coincide(&mut self) {
        let watched = self.watched().obj;
        let [left, right] = self.sides.each_mut().map(|s| s.holders(&mut self.terms, watched));
        let slots = |list: &[Held]| list.iter().map(|h| h.slot).collect::<HashSet<Slot>>();
        let common: HashSet<Slot> = slots(&left).intersection(&slots(&right)).copied().collect();
        for held in left.iter().chain(&right).filter(|h| common.contains(&h.slot)) {
            let Held { slot, object, place, when } = *held;
            let Slot { field, within } = slot;
            let around = within.map_or(String::new(), |(ty, at)| format!(".in.{}.{at}", ty.index()));
            let mut is = |what: &str, part: TermId| {
                let name = format!("holder_{what}.{}.{}{around}", field.strukt.index(), field.offset);
                let holder = self.terms.func(&name, 1, Sort::Int, None);
                let holder = self.terms.app(holder, &[object]);
                self.terms.eq(holder, part)
            };
            let (obj, off) = (is("object", place.obj), is("offset", place.off));
            let there = self.terms.and2(obj, off);
            let clause = self.terms.implies(when, there);
            self.clauses.race.push(clause);
        }
    }

    /// The head of an element is a function of the element, and no head lies in one (assumption `unique-owner`). A
    /// pointer to elements may also be one to the head: a list ends where it began.
    pub(super) fn heads_coincide(&mut self) {
        let at = self.watched();
        let sides = self.sides.each_mut().map(|s| s.elements(&mut self.terms));
        if sides.iter().any(Vec::is_empty) {
            return;
        }
        let is_element = self.terms.func("is_element", 1, Sort::Bool, None);
        let element = self.terms.app(is_element, &[at.obj]);
        for Element { head, size, within, when } in sides.into_iter().flatten() {
            let terms = &mut self.terms;
            let of_object = |terms: &mut Terms, what: &str, part: TermId| {
                let f = terms.func(&format!("head_{what}"), 1, Sort::Int, None);
                let whole = terms.app(f, &[at.obj]);
                terms.eq(whole, part)
            };
            // A byte lies in one head at most, and a head in one struct of a type (assumption `alignment`).
            let of_byte = |terms: &mut Terms, what: &str, part: TermId| {
                let whole = terms.shared_var(&format!("watched.head_{what}"), Sort::Int, None);
                terms.eq(whole, part)
            };
            let mut linked =
                vec![element, of_object(terms, "object", head.obj), of_object(terms, "offset", head.off)];
            let mut itself = vec![terms.eq(at.obj, head.obj)];
            if let Some(size) = size {
                let size = terms.int(size.into());
                let end = terms.add2(head.off, size);
                let (begins, ends) = (terms.le(head.off, at.off), terms.lt(at.off, end));
                itself.extend([of_byte(terms, "offset", head.off), begins, ends]);
            }
            if let Some((strukt, begin)) = within {
                let what = format!("struct.{}", strukt.index());
                linked.push(of_object(terms, &what, begin));
                itself.extend(size.map(|_| of_byte(terms, &what, begin)));
            }
            let (linked, itself) = (terms.and(&linked), terms.and(&itself));
            let either = terms.or2(linked, itself);
            let around = terms.app(is_element, &[head.obj]);
            let apart = terms.not(around);
            let said = terms.and2(either, apart);
            self.clauses.race.push(terms.implies(when, said));
        }
    }
}
