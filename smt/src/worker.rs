//! Solver threads: one per calling thread, replaced when it does not return in time.
//!
//! The solver cannot be trusted to heed its time limit, so it never runs on the caller's thread.
//! A check waits for `soft`, then asks for an interrupt until `hard`, and then leaves the thread to
//! itself: it ends as soon as the solver comes back to it. Sessions notice by the generation in
//! their ticket and tell the new thread everything again.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::session::{Answer, Batch, Limits, Slot, UnknownReason, Want};
use crate::z3::Backend;

/// How often the interrupt is repeated between the soft and the hard limit.
const NUDGE: Duration = Duration::from_millis(20);

/// A session's name on the solver threads, and how far it got there.
#[derive(Debug)]
pub(crate) struct Ticket {
    session: u64,
    /// The worker that knows the session.
    worker: u64,
    /// How many batches that worker has.
    told: usize,
}

impl Ticket {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ticket { session: NEXT.fetch_add(1, Ordering::Relaxed), worker: 0, told: 0 }
    }
}

/// What a solver thread is asked.
enum Request {
    Check {
        session: u64,
        limits: Limits,
        batches: Vec<Arc<Batch>>,
        assumptions: Vec<Slot>,
        want: Want,
    },
    Forget(u64),
    #[cfg(test)]
    Run(Box<dyn FnOnce() + Send>),
}

/// What a solver thread says to a check.
pub(crate) struct Reply {
    pub(crate) answer: Answer,
    /// The thread cannot be used any more.
    pub(crate) broken_down: bool,
}

/// The caller's end of a solver thread.
struct Worker {
    id: u64,
    requests: Sender<Request>,
    answers: Receiver<Reply>,
    /// Asks for an interrupt of the check with this number.
    alarms: Sender<u64>,
    thread: thread::JoinHandle<()>,
    /// Number of the current check.
    checks: Cell<u64>,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Tells the calling thread's solver what it does not know yet, and checks.
pub(crate) fn check(
    ticket: &mut Ticket,
    limits: &Limits,
    sent: &[Arc<Batch>],
    assumptions: Vec<Slot>,
    want: Want,
) -> Answer {
    WORKER.with_borrow_mut(|slot| {
        let worker = slot.get_or_insert_with(Worker::start);
        if ticket.worker != worker.id {
            (ticket.worker, ticket.told) = (worker.id, 0);
        }
        let batches = sent[ticket.told..].to_vec();
        ticket.told = sent.len();
        let request = Request::Check { session: ticket.session, limits: *limits, batches, assumptions, want };
        let start = Instant::now();
        let answer = worker.ask(request, limits);
        if answer.is_err()
            && let Some(lost) = slot.take()
        {
            lost.leave(start + limits.hard);
        }
        answer.unwrap_or_else(Answer::Unknown)
    })
}

/// Lets the solver thread free a session.
pub(crate) fn forget(ticket: &Ticket) {
    // At the end of a thread its worker may be gone before its sessions.
    let _ = WORKER.try_with(|slot| {
        let worker = slot.try_borrow().ok()?;
        let worker = worker.as_ref().filter(|worker| worker.id == ticket.worker)?;
        worker.requests.send(Request::Forget(ticket.session)).ok()
    });
}

impl Worker {
    fn start() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let (requests, inbox) = mpsc::channel();
        let (outbox, answers) = mpsc::channel();
        let (alarms, bells) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("solver".into())
            .spawn(move || Backend::run(|backend| serve(backend, &inbox, &outbox), bells))
            .expect("a thread can be started");
        Worker {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            requests,
            answers,
            alarms,
            thread,
            checks: Cell::new(0),
        }
    }

    /// Lets the thread end: at once if it is stuck, else when its memory is free again, so that
    /// the next thread does not run into the limit that ended this one.
    fn leave(self, deadline: Instant) {
        let Worker { requests, alarms, thread, .. } = self;
        drop((requests, alarms));
        while !thread.is_finished() {
            if Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        // Only the destructor of the thread's context is left.
        _ = thread.join();
    }

    /// Waits for the answer until the hard limit. An error means that the thread is lost.
    fn ask(&self, request: Request, limits: &Limits) -> Result<Answer, UnknownReason> {
        let lost = |_| UnknownReason::Crashed("the solver thread ended".into());
        let number = self.checks.get() + 1;
        self.checks.set(number);
        let start = Instant::now();
        self.requests.send(request).map_err(|_| lost(()))?;
        let mut wait = limits.soft.min(limits.hard);
        loop {
            match self.answers.recv_timeout(wait) {
                Ok(Reply { answer: Answer::Unknown(why), broken_down: true }) => return Err(why),
                Ok(reply) => return Ok(reply.answer),
                Err(RecvTimeoutError::Disconnected) => return Err(lost(())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let left = limits.hard.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(UnknownReason::Timeout);
            }
            let _ = self.alarms.send(number);
            wait = NUDGE.min(left);
        }
    }
}

/// The solver thread's loop; ends with the caller's end of the channel, or when the solver failed.
fn serve(backend: &mut Backend<'_>, inbox: &Receiver<Request>, outbox: &Sender<Reply>) {
    let mut number = 0;
    for request in inbox {
        match request {
            Request::Check { session, limits, batches, assumptions, want } => {
                number += 1;
                let reply = backend.check(number, session, &limits, &batches, &assumptions, want);
                let last = reply.broken_down;
                if outbox.send(reply).is_err() || last {
                    return;
                }
            }
            Request::Forget(session) => backend.forget(session),
            #[cfg(test)]
            Request::Run(job) => {
                job();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::terms::{Sort, Terms};

    /// A solver thread that heeds nothing is left behind; its sessions go on with another one.
    #[test]
    fn a_stuck_thread_is_replaced() {
        // Long enough for the first check, which loads the solver, on a busy machine.
        let hard = Duration::from_secs(2);
        let limits = Limits { soft: Duration::from_secs(1), hard, ..Limits::default() };
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Int, Some((0, 4)));
        let k = terms.int(2);
        let (low, high) = (terms.lt(x, k), terms.ge(x, k));
        let mut session = Session::new(&limits);
        session.assert(&terms, low);
        assert!(matches!(session.check(&terms, &[]), Answer::Sat(_)));
        WORKER.with_borrow(|worker| {
            let worker = worker.as_ref().expect("started by the check");
            let job = Box::new(|| thread::sleep(Duration::from_secs(12)));
            worker.requests.send(Request::Run(job)).expect("alive");
        });
        let start = Instant::now();
        let answer = session.check(&terms, &[]);
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Timeout)), "{answer:?}");
        assert!(start.elapsed() < 4 * hard, "{:?}", start.elapsed());
        assert!(matches!(session.check(&terms, &[]), Answer::Sat(_)));
        assert!(session.check(&terms, &[high]).is_unsat());
    }
}
