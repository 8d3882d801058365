//! All files together: who calls whom, and in which order to look at them.

use super::Symbol;
use super::digest::{Call, Digest, Event, FunctionDigest, Given, GlobalDigest, Target, parameter};
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
    /// Functions of which there is another with the same name.
    pub ambiguous: BTreeSet<Func>,
    /// Functions that are passed to others, which call them.
    pub passed: BTreeSet<Func>,
    /// Members that are read to be called by nobody knows whom.
    pub leaked: BTreeSet<Member>,
    /// What rows by hand say of functions, by name.
    rows: HashMap<Symbol, Func>,
    /// The same.
    by_row: BTreeSet<Func>,
    /// Parameters of which more is done than to call what they are, to compare it and to put it into members.
    lost: SecondaryMap<Func, BTreeSet<u32>>,
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
    /// Links the files. Of two functions with one name, a weak one does not count; two others are variants, of which nobody
    /// knows which is there: who calls them calls no function that is known. The row of a function counts only if no file
    /// defines it.
    pub fn link(digests: Vec<Digest>, types: Types) -> Program {
        let mut program = Program {
            funcs: PrimaryMap::new(),
            by_name: HashMap::new(),
            stored: BTreeMap::new(),
            stored_in: SecondaryMap::new(),
            escaped: BTreeSet::new(),
            ambiguous: BTreeSet::new(),
            passed: BTreeSet::new(),
            leaked: BTreeSet::new(),
            rows: HashMap::new(),
            by_row: BTreeSet::new(),
            lost: SecondaryMap::new(),
            callers: SecondaryMap::new(),
            components: Vec::new(),
            types,
            globals: BTreeMap::new(),
        };
        let (mut stored, mut known) = (Vec::new(), Vec::new());
        let mut definitions: BTreeMap<Symbol, (Vec<Func>, Vec<Func>)> = BTreeMap::new();
        let mut escaped = BTreeSet::new();
        for digest in digests {
            for func in digest.functions {
                let name = func.name.clone();
                let weak = func.weak;
                let id = program.funcs.push(Function { file: digest.file.clone(), digest: func });
                let all = definitions.entry(name).or_default();
                if weak { all.1.push(id) } else { all.0.push(id) }
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
        for (name, (strong, weak)) in &definitions {
            for func in weak.iter().filter(|_| !strong.is_empty()) {
                program.funcs[*func].digest.blocks.clear();
            }
            match (if strong.is_empty() { weak } else { strong }).as_slice() {
                [one] => {
                    program.by_name.insert(name.clone(), *one);
                }
                several => program.ambiguous.extend(several),
            }
        }
        for (file, digest) in known {
            if program.rows.contains_key(&digest.name) {
                continue;
            }
            let name = digest.name.clone();
            let id = program.funcs.push(Function { file, digest });
            if !definitions.contains_key(&name) {
                program.by_name.insert(name.clone(), id);
            }
            program.rows.insert(name, id);
            program.by_row.insert(id);
        }
        program.order();
        program.lost = program.lost();
        let puts = program.puts();
        let mut passed = BTreeSet::new();
        let mut leaked: BTreeSet<Member> =
            program.funcs.values().flat_map(|func| &func.digest.leaked).cloned().collect();
        for call in program.funcs.keys().flat_map(|func| program.calls(func)) {
            for (param, given) in &call.given {
                let followed = program.followed(call, *param);
                let callee = program.callee(call);
                let members = callee.into_iter().flat_map(|callee| &puts[callee]).filter(|(i, _)| i == param);
                match given {
                    Given::Function(name) => {
                        stored.extend(members.map(|(_, member)| (member.clone(), name.clone())));
                        // What else is done with it is not known where nothing is.
                        let into = if followed { &mut passed } else { &mut escaped };
                        into.insert(name.clone());
                    }
                    Given::Member(member) if !followed || members.count() > 0 => {
                        leaked.insert(member.clone());
                    }
                    Given::Member(_) => {}
                }
            }
        }
        program.leaked = leaked;
        for (member, name) in stored {
            if let Some(&func) = program.by_name.get(&name)
                && program.stored.entry(member.clone()).or_default().insert(func)
            {
                program.stored_in[func].push(member);
            }
        }
        let named = |names: &BTreeSet<Symbol>| {
            names.iter().filter_map(|name| program.by_name.get(name).copied()).collect::<BTreeSet<Func>>()
        };
        (program.escaped, program.passed) = (named(&escaped), named(&passed));
        program
    }

    /// Parameters that a function uses otherwise than to call what they are, to compare it, to put it into a member, or to
    /// pass it to who does so.
    fn lost(&self) -> SecondaryMap<Func, BTreeSet<u32>> {
        let mut lost: SecondaryMap<Func, BTreeSet<u32>> = SecondaryMap::new();
        for (func, function) in self.funcs.iter() {
            lost[func] = function.digest.uses.clone();
            if self.by_row.contains(&func) {
                lost[func].extend((0..function.digest.params).filter(|param| !self.is_told(func, *param)));
            }
        }
        let mut work: Vec<Func> = self.funcs.keys().collect();
        while let Some(func) = work.pop() {
            let passed_on = self.calls(func).flat_map(|call| {
                let args = call.args.iter().enumerate();
                args.filter_map(move |(i, arg)| Some((call, i as u32, parameter(arg.as_ref()?)?)))
            });
            let more =
                passed_on.filter(|(call, i, _)| self.loses(&lost, call, *i)).map(|(_, _, param)| param);
            let all: BTreeSet<u32> = more.chain(lost[func].iter().copied()).collect();
            if all.len() > lost[func].len() {
                lost[func] = all;
                work.extend(self.callers[func].iter().copied());
            }
        }
        lost
    }

    /// Whether a row says what becomes of a function that is this parameter. Rows that say nothing of one were written with
    /// other questions in mind.
    pub fn is_told(&self, func: Func, param: u32) -> bool {
        self.calls(func).any(|call| call.target == Target::Parameter(param))
            || self.funcs[func].digest.puts.iter().any(|(put, _)| *put == param)
    }

    /// Whether a function that is this argument goes where it is not followed.
    fn loses(&self, lost: &SecondaryMap<Func, BTreeSet<u32>>, call: &Call, arg: u32) -> bool {
        self.callee(call).is_none_or(|callee| {
            let digest = &self.funcs[callee].digest;
            // What is printed is an argument without a name. (Of a function with a row, all is known.)
            let unnamed = arg >= digest.params && !(digest.variadic && self.by_row.contains(&callee));
            unnamed || lost[callee].contains(&arg)
        })
    }

    /// Whether all calls of a function that is this argument are known.
    pub fn followed(&self, call: &Call, arg: u32) -> bool {
        !self.loses(&self.lost, call, arg)
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
            Target::Member(_) | Target::Parameter(_) | Target::Unknown => None,
        }
    }

    /// Whose summary tells what a call does to memory: the callee's, or, for a member, what a row by hand says of the functions
    /// that stand there. A driver's own are not meant: they are its entry points.
    pub fn told(&self, call: &Call) -> Option<Func> {
        match &call.target {
            Target::Member(member) => self.rows.get(member.to_string().as_str()).copied(),
            _ => self.callee(call),
        }
    }

    /// What a row by hand says of the function that a call calls, if there is one.
    pub fn row(&self, call: &Call) -> Option<Func> {
        match &call.target {
            Target::Function(name) => self.rows.get(name).copied(),
            Target::Member(_) | Target::Parameter(_) | Target::Unknown => None,
        }
    }

    /// What rows say, which call nobody else.
    pub fn rows(&self) -> impl Iterator<Item = Func> {
        self.by_row.iter().copied()
    }

    /// Whether there is only a row of a function, and no file defines it.
    pub fn is_row(&self, func: Func) -> bool {
        self.by_row.contains(&func)
    }

    /// Whether it is what a row says of a function that some file defines: that one is called.
    pub fn is_shadowed(&self, func: Func) -> bool {
        self.by_row.contains(&func) && self.by_name.get(&self.funcs[func].digest.name) != Some(&func)
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
