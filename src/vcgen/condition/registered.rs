//! Whether a handle can have been registered yet that lies in an object which a thread has made: by that thread, or by a
//! callback of another handle in the object, which needs to have been registered itself.

use super::Condition;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::Addr;
use crate::vcgen::side::Flag;
use lockpair_smt::{TermId, Terms};

/// Of handles of one class, so many places in an object are told apart.
const MOST_PLACES: usize = 3;

/// Where a handle lies: so far behind the start of an object, or anywhere in it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) obj: TermId,
    pub(super) off: Option<TermId>,
}

impl Place {
    /// The place that lies so far before it.
    fn back(self, terms: &mut Terms, distance: Option<i128>) -> Place {
        let off = self.off.zip(distance).map(|(off, distance)| {
            let back = terms.int(-distance);
            terms.add2(off, back)
        });
        Place { off, ..self }
    }
}

impl Condition<'_> {
    /// Somebody else may have registered a handle that lies in an object which the thread made: another
    /// thread that registers handles of the class at all, unless its own handle lies in the same object
    /// and cannot have been registered yet either. `seen` are the handles asked about already: a circle of
    /// them has no beginning.
    pub(super) fn may_be_registered_by_others(
        &mut self,
        maker: usize,
        class: &str,
        place: Place,
        seen: &mut Vec<(String, Place)>,
    ) -> TermId {
        let mut list = Vec::new();
        for other in self.checker.threads {
            for event in other.events.iter().filter(|e| e.registers && e.class == class) {
                if other.makes(event.handle.obj) {
                    continue;
                }
                let own = other.handles.iter().find(|h| h.addr.obj == event.handle.obj);
                list.push(match own {
                    Some(h) => {
                        let distance = other.distance(event.handle, h.addr).filter(|_| !event.anywhere);
                        let before = place.back(&mut self.terms, distance);
                        self.may_have_been_registered(maker, &h.class, before, seen)
                    }
                    None => self.terms.tru(),
                });
            }
        }
        self.terms.or(&list)
    }

    /// The handle may have been registered before the recorded site, by the thread or by others; that it is over since does not
    /// matter, for its callback has run.
    fn may_have_been_registered(
        &mut self,
        maker: usize,
        class: &str,
        place: Place,
        seen: &mut Vec<(String, Place)>,
    ) -> TermId {
        let is_seen = |place: Place| seen.iter().any(|(c, p)| c == class && *p == place);
        let places = seen.iter().filter(|(c, p)| c == class && p.off.is_some()).count();
        let coarse = if places < MOST_PLACES { place } else { Place { off: None, ..place } };
        if is_seen(place) || is_seen(coarse) {
            return self.terms.fals();
        }
        let here = self.was_registered(maker, class, coarse);
        seen.push((class.to_owned(), coarse));
        let there = self.may_be_registered_by_others(maker, class, coarse, seen);
        seen.pop();
        self.terms.or2(here, there)
    }

    /// The thread has registered the handle before its recorded site, and may have ended it since.
    fn was_registered(&mut self, maker: usize, class: &str, place: Place) -> TermId {
        let thread = self.sides[maker].thread;
        let events = || thread.events.iter().enumerate().filter(|(_, e)| e.class == class);
        let mut list = Vec::new();
        for (registration, event) in events().filter(|(_, e)| e.registers) {
            let mut ways = vec![self.sides[maker].flag(&mut self.terms, Flag::Event(registration))];
            for (end, ended) in events().filter(|(_, e)| !e.registers && !seeded(Fault::EndedNeverRan)) {
                let before = ended.before.get(registration).copied().unwrap_or(thread.terms.fals());
                let before = self.sides[maker].term(&mut self.terms, before);
                let ended = self.sides[maker].flag(&mut self.terms, Flag::Event(end));
                ways.push(self.terms.and2(before, ended));
            }
            let ever = self.terms.or(&ways);
            let same = match place.off {
                Some(off) => self.names(maker, event, Addr { obj: place.obj, off }),
                None if event.anywhere => self.terms.tru(),
                None => {
                    let handle = self.sides[maker].addr(&mut self.terms, event.handle);
                    self.terms.eq(handle.obj, place.obj)
                }
            };
            list.push(self.terms.and2(ever, same));
        }
        self.terms.or(&list)
    }
}
