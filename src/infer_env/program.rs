//! All files together: who calls whom, and in which order to look at them.

use super::Symbol;
use super::digest::{Call, Digest, Event, FunctionDigest, GlobalDigest, Target, parameter};
use super::path::Member;
use super::types::Types;
use lockpair_ir::{EntityRef, PrimaryMap, SecondaryMap, entity_id};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet, HashMap};

entity_id!(
    /// A function of some file.
    Func,
    "fn"
);

/// A function with the file it is in.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its file.
    pub file: Symbol,
    /// What was kept of it.
    pub digest: FunctionDigest,
}

/// The files that were given, linked by name.
#[derive(Debug)]
pub struct Program {
    /// The functions.
    pub funcs: PrimaryMap<Func, Function>,
    /// Those that have a name, which static ones have with their file.
    pub by_name: HashMap<Symbol, Func>,
    /// The functions that stand in a member of some object.
    pub stored: BTreeMap<Member, BTreeSet<Func>>,
    /// The members in which a function stands.
    pub stored_in: SecondaryMap<Func, Vec<Member>>,
    /// Functions whose address goes where it is not followed.
    pub escaped: BTreeSet<Func>,
    /// The calls of each function, without those through members.
    pub callers: SecondaryMap<Func, Vec<Func>>,
    /// Callees before callers; what calls itself is together.
    pub components: Vec<Vec<Func>>,
    /// The structs.
    pub types: Types,
    /// The variables, by name.
    pub globals: BTreeMap<Symbol, GlobalDigest>,
}

impl Program {
    /// Links the files. Of two functions with one name (variants of one configuration), the first counts; the row of a
    /// function only if no file defines it.
    pub fn link(digests: Vec<Digest>, types: Types) -> Program {
        let mut program = Program {
            funcs: PrimaryMap::new(),
            by_name: HashMap::new(),
            stored: BTreeMap::new(),
            stored_in: SecondaryMap::new(),
            escaped: BTreeSet::new(),
            callers: SecondaryMap::new(),
            components: Vec::new(),
            types,
            globals: BTreeMap::new(),
        };
        let (mut stored, mut known) = (Vec::new(), Vec::new());
        let mut escaped = BTreeSet::new();
        for digest in digests {
            for func in digest.functions {
                let name = func.name.clone();
                let id = program.funcs.push(Function { file: digest.file.clone(), digest: func });
                program.by_name.entry(name).or_insert(id);
            }
            for (name, global) in digest.globals {
                match program.globals.get_mut(&name) {
                    Some(known) => known.merge(global),
                    None => {
                        program.globals.insert(name, global);
                    }
                }
            }
            known.extend(digest.known.into_iter().map(|func| (digest.file.clone(), func)));
            stored.extend(digest.stored);
            escaped.extend(digest.escaped);
        }
        for (file, digest) in known {
            if !program.by_name.contains_key(&digest.name) {
                let name = digest.name.clone();
                program.by_name.insert(name, program.funcs.push(Function { file, digest }));
            }
        }
        program.order();
        let puts = program.puts();
        let calls: Vec<&Call> = program.funcs.keys().flat_map(|func| program.calls(func)).collect();
        for call in calls {
            for (param, name) in &call.given {
                let callee = program.callee(call);
                let members = callee.into_iter().flat_map(|callee| &puts[callee]).filter(|(i, _)| i == param);
                let before = stored.len();
                stored.extend(members.map(|(_, member)| (member.clone(), name.clone())));
                // What else is done with it is not known where nothing is.
                if before == stored.len() {
                    escaped.insert(name.clone());
                }
            }
        }
        for (member, name) in stored {
            if let Some(&func) = program.by_name.get(&name)
                && program.stored.entry(member.clone()).or_default().insert(func)
            {
                program.stored_in[func].push(member);
            }
        }
        program.escaped = escaped.iter().filter_map(|name| program.by_name.get(name).copied()).collect();
        program
    }

    /// Which parameters each function puts into which members, itself or by whom it calls.
    fn puts(&self) -> SecondaryMap<Func, BTreeSet<(u32, Member)>> {
        let mut puts: SecondaryMap<Func, BTreeSet<(u32, Member)>> = SecondaryMap::new();
        for &func in self.components.iter().flatten() {
            let mut mine: BTreeSet<(u32, Member)> = self.funcs[func].digest.puts.iter().cloned().collect();
            for call in self.calls(func) {
                let Some(callee) = self.callee(call) else { continue };
                for (i, member) in &puts[callee] {
                    let given = call.args.get(*i as usize).and_then(|arg| arg.as_ref()).and_then(parameter);
                    mine.extend(given.map(|param| (param, member.clone())));
                }
            }
            puts[func] = mine;
        }
        puts
    }

    /// Whom a call calls, as far as it is one function.
    pub fn callee(&self, call: &Call) -> Option<Func> {
        match &call.target {
            Target::Function(name) => self.by_name.get(name).copied(),
            Target::Member(_) | Target::Unknown => None,
        }
    }

    /// The calls of a function.
    pub fn calls(&self, func: Func) -> impl Iterator<Item = &Call> {
        let events = self.funcs[func].digest.blocks.iter().flat_map(|block| &block.events);
        events.filter_map(|event| match event {
            Event::Call(call) => Some(call),
            _ => None,
        })
    }

    fn order(&mut self) {
        let mut graph = DiGraph::<(), ()>::new();
        for _ in self.funcs.keys() {
            graph.add_node(());
        }
        for func in self.funcs.keys() {
            let callees: BTreeSet<Func> = self.calls(func).filter_map(|call| self.callee(call)).collect();
            for callee in callees {
                self.callers[callee].push(func);
                graph.add_edge(NodeIndex::new(func.index()), NodeIndex::new(callee.index()), ());
            }
        }
        let components = tarjan_scc(&graph).into_iter();
        self.components = components.map(|c| c.into_iter().map(|n| Func::new(n.index())).collect()).collect();
    }
}
