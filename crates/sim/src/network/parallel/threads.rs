//! Work that is divided among threads before a run.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies `work` to every item, on the given number of threads, or on fewer if the system cannot create that many. Results
/// are in the order of the items. A panic in a thread is propagated.
pub(in crate::network) fn on_threads<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let take_part = || {
        while let place = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(place)
        {
            let result = work(item);
            *results[place].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    };
    thread::scope(|scope| {
        let spawn =
            |_| thread::Builder::new().name("setpoint-part".to_owned()).spawn_scoped(scope, take_part);
        // If the system cannot create a thread, the others do its share of the work.
        let others: Vec<_> = (1..threads.min(items.len())).filter_map(|other| spawn(other).ok()).collect();
        take_part();
        for other in others {
            other.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        }
    });
    let result = |result: Mutex<Option<R>>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|one| result(one).expect("a thread has worked on every item")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
        for threads in [1, 3, 200] {
            assert_eq!(on_threads(threads, &items, |item| item * item), squares);
        }
        assert!(on_threads(2, &[], |(): &()| ()).is_empty());
    }

    #[test]
    fn a_panic_is_passed_on() {
        let work = |item: &u64| if *item == 7 { panic!("as intended") } else { *item };
        let items: Vec<u64> = (0..20).collect();
        for threads in [1, 4] {
            let panic = panic::catch_unwind(|| on_threads(threads, &items, work)).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"as intended"));
        }
    }
}
