//! An allocator that counts allocations per thread, since the test harness allocates in other threads.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static ASKED: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
    ASKED.set(ASKED.get() + bytes.max(0));
}

// SAFETY: all calls are forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The memory that a piece of work used.
pub(crate) struct Counted {
    /// Maximum number of bytes allocated at once.
    pub(crate) peak: u64,
    /// The sum of all allocations in bytes.
    pub(crate) asked: u64,
}

/// Runs `work` and counts its allocations.
pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> (T, Counted) {
    let before = HELD.get();
    PEAK.set(before);
    ASKED.set(0);
    let done = work();
    (done, Counted { peak: (PEAK.get() - before) as u64, asked: ASKED.get() as u64 })
}
