//! Functions that are arguments: how a function calls what its parameters are, itself or by whom it passes them to.
//! Bottom-up; with that, who passes `attach` to `bus_for_each_drv` is known to call it.

use super::digest::{Call, Target, parameter};
use super::locks::{Facts, State, in_caller, is_for_callers};
use super::path::Path;
use super::program::{Func, Program};
use lockpair_ir::SecondaryMap;

/// Of a function that calls its parameters at more places, only that is known.
const MOST: usize = 32;

/// A call of what a parameter is.
#[derive(Clone, PartialEq, Debug)]
pub struct Invoke {
    /// The parameter.
    pub param: u32,
    /// With what, over the function's parameters, as far as that is known.
    pub args: Vec<Option<Path>>,
    /// What the function has taken and given back before; none if that is not known.
    pub state: Option<State>,
}

/// The calls of each function's parameters.
pub type Invokes = SecondaryMap<Func, Vec<Invoke>>;

/// All functions, callees first.
pub fn infer(program: &Program, facts: &SecondaryMap<Func, Facts>) -> Invokes {
    let mut invokes = Invokes::new();
    for component in &program.components {
        for &func in component {
            let recursive = component.len() > 1 || program.callers[func].contains(&func);
            let found = of_function(program, func, &facts[func], &invokes);
            invokes[func] = if recursive || found.len() > MOST {
                let params = 0..program.funcs[func].digest.params;
                params.map(|param| Invoke { param, args: Vec::new(), state: None }).collect()
            } else {
                found
            };
        }
    }
    invokes
}

fn of_function(program: &Program, func: Func, facts: &Facts, invokes: &Invokes) -> Vec<Invoke> {
    let mut all: Vec<Invoke> = Vec::new();
    let mut add = |invoke: Invoke| {
        if !all.contains(&invoke) {
            all.push(invoke);
        }
    };
    for (call, state) in program.calls(func).zip(&facts.calls) {
        if let Target::Parameter(param) = call.target {
            let args = call.args.iter().map(|arg| arg.clone().filter(is_for_callers)).collect();
            add(Invoke { param, args, state: Some(state.for_callers()) });
        }
        for invoke in program.callee(call).into_iter().flat_map(|callee| &invokes[callee]) {
            let passed = call.args.get(invoke.param as usize).and_then(|arg| arg.as_ref());
            if let Some(param) = passed.and_then(parameter) {
                let (args, state) = invoke.in_caller(call, state);
                let args = args.into_iter().map(|arg| arg.filter(is_for_callers)).collect();
                add(Invoke { param, args, state: state.map(|state| state.for_callers()) });
            }
        }
    }
    all
}

impl Invoke {
    /// The arguments and what is known of the locks, for who calls the function that does this.
    pub fn in_caller(&self, call: &Call, at_call: &State) -> (Vec<Option<Path>>, Option<State>) {
        let args = self.args.iter().map(|arg| in_caller(arg.as_ref()?, call)).collect();
        (args, self.state.as_ref().map(|state| at_call.at_step(state, call)))
    }
}
