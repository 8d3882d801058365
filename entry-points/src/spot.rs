//! Interned places: the fixpoint asks the same questions of the same members over and over.

use std::collections::HashMap;

use lockpair_env::schema::CallbackRow;
use lockpair_ir::{EntityRef, PrimaryMap, entity_id};

use crate::environment::Environment;
use crate::place::{self, Member};

entity_id!(
    /// The members that a scalar in memory may be.
    SpotId,
    "spot"
);
entity_id!(
    /// One member of one struct; all members of a union are one.
    KeyId,
    "key"
);

/// What is known of a scalar in memory because of the members that it is.
pub(crate) struct Spot<'a> {
    pub members: Vec<Member>,
    /// The rows for it.
    pub rows: Vec<(Member, &'a CallbackRow)>,
    /// Each of the members.
    pub keys: Vec<KeyId>,
    /// `struct.field`, if the innermost struct is one that only the module knows.
    pub private: Option<String>,
}

/// The table of spots; the first one is the unknown spot.
pub(crate) struct Spots<'a> {
    env: &'a dyn Environment,
    spots: PrimaryMap<SpotId, Spot<'a>>,
    ids: HashMap<Vec<Member>, SpotId>,
    keys: HashMap<(String, String), KeyId>,
    coincide: HashMap<(SpotId, SpotId), bool>,
}

impl<'a> Spots<'a> {
    /// A table with the unknown spot.
    pub fn new(env: &'a dyn Environment) -> Spots<'a> {
        let mut spots = Spots {
            env,
            spots: PrimaryMap::new(),
            ids: HashMap::new(),
            keys: HashMap::new(),
            coincide: HashMap::new(),
        };
        spots.intern(Vec::new());
        spots
    }

    /// The spot of which nothing is known: it may be any other.
    pub fn unknown(&self) -> SpotId {
        SpotId::new(0)
    }

    /// The rows.
    pub fn env(&self) -> &'a dyn Environment {
        self.env
    }

    /// The id of a spot.
    pub fn intern(&mut self, members: Vec<Member>) -> SpotId {
        if let Some(&id) = self.ids.get(&members) {
            return id;
        }
        let keys = members.iter().map(|member| self.key(member)).collect();
        let innermost = members.iter().rev().find(|m| !m.is_union);
        let private = innermost.filter(|m| m.module_private).map(|m| format!("{}.{}", m.strukt, m.path));
        let rows = rows_at(self.env, &members);
        let id = self.spots.push(Spot { members: members.clone(), rows, keys, private });
        self.ids.insert(members, id);
        id
    }

    /// What is known of a spot.
    pub fn get(&self, id: SpotId) -> &Spot<'a> {
        &self.spots[id]
    }

    /// Whether the two may be one place in memory.
    pub fn may_coincide(&mut self, a: SpotId, b: SpotId) -> bool {
        let spots = &self.spots;
        let compute = || place::may_coincide(&spots[a].members, &spots[b].members);
        a == b || *self.coincide.entry((a, b)).or_insert_with(compute)
    }

    fn key(&mut self, member: &Member) -> KeyId {
        let path = if member.is_union { String::new() } else { member.path.clone() };
        let next = KeyId::new(self.keys.len());
        *self.keys.entry((member.strukt.clone(), path)).or_insert(next)
    }
}

/// The rows for a place: of the outermost struct that has any; several only through unions.
pub(crate) fn rows_at<'a>(env: &'a dyn Environment, members: &[Member]) -> Vec<(Member, &'a CallbackRow)> {
    let mut out: Vec<(Member, &CallbackRow)> = Vec::new();
    for member in members {
        let row = env.table(&member.strukt).and_then(|table| table.field(&member.path));
        let same = out
            .first()
            .is_none_or(|(first, _)| (&first.strukt, first.start) == (&member.strukt, member.start));
        out.extend(row.filter(|_| same).map(|row| (member.clone(), row)));
    }
    out
}
