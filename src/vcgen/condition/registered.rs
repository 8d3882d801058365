//! Whether a handle can have been registered yet that lies in an object which a thread has made: by that thread, or by a
//! callback of another handle in the object, which needs to have been registered itself.

use super::Condition;
use crate::fault::{Fault, seeded};
use crate::instrument::thread::{Addr, Event, Thread};
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
    /// and cannot have been registered yet either. A circle of such handles has no beginning, so each is asked about once: that it
    /// has been registered before the recorded site, by the thread; that it is over since does not matter, for its callback has run.
    pub(super) fn may_be_registered_by_others(&mut self, maker: usize, class: &str, place: Place) -> TermId {
        let mut reached = vec![(class.to_owned(), place)];
        let mut registered = Vec::new();
        let mut next = 0;
        while let Some((class, place)) = reached.get(next).cloned() {
            next += 1;
            for under in self.registering(&class, place) {
                let Some((class, place)) = under else { return self.terms.tru() };
                let places = reached.iter().filter(|(c, p)| *c == class && p.off.is_some()).count();
                let coarse = if places < MOST_PLACES { place } else { Place { off: None, ..place } };
                if [place, coarse].iter().any(|p| reached.iter().any(|(c, q)| *c == class && q == p)) {
                    continue;
                }
                registered.push(self.was_registered(maker, &class, coarse));
                reached.push((class, coarse));
            }
        }
        self.terms.or(&registered)
    }

    /// Under which handles, each with its class, the others run that may register the one at this place; none for who runs under no
    /// handle in the same object.
    fn registering(&mut self, class: &str, place: Place) -> Vec<Option<(String, Place)>> {
        let threads = self.checker.threads;
        let events = threads.iter().flat_map(|other| other.events.iter().map(move |event| (other, event)));
        let theirs = events.filter(|(other, event)| {
            event.registers && event.class == class && !other.makes(event.handle.obj)
        });
        let mut under = |(other, event): (&Thread, &Event)| {
            let own = other.handles.iter().find(|h| h.addr.obj == event.handle.obj)?;
            let distance = other.distance(event.handle, own.addr).filter(|_| !event.anywhere);
            Some((own.class.clone(), place.back(&mut self.terms, distance)))
        };
        let mut all = Vec::new();
        for one in theirs {
            let one = under(one);
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all
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
