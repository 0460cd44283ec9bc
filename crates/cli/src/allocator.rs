//! Memory for large tables.
//!
//! The state of a large network consists of a few tables of tens of megabytes each, which are accessed at random. Each gets
//! a mapping of its own, on huge pages if the system has any, so that most accesses hit the TLB (a rack fabric of 640 ports
//! runs about an eighth faster), and so that the memory is returned to the system as soon as the table is freed.

#![expect(unsafe_code, reason = "an allocator hands out raw memory")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{self, NonNull};

use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap};

/// Allocations of at least this many bytes get their own mapping.
const LARGE: usize = 1 << 20;
/// The minimum alignment of a mapping.
const SMALLEST_PAGE: usize = 4096;
/// A multiple of the page size of every system.
const PAGE: usize = 64 << 10;
/// The size and alignment of a huge page.
const HUGE: usize = 2 << 20;

/// The system's allocator, with mappings for large allocations.
pub(crate) struct Allocator;

// SAFETY: small allocations come from the system's allocator. A large allocation is a separate mapping, of at least the
// requested size and with the alignment of a page; whether an allocation is large depends only on its layout, which is
// the same when it is freed.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return map(layout.size()).map_or(ptr::null_mut(), NonNull::as_ptr);
        }
        // SAFETY: the caller upholds the same requirements.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            // New mappings are filled with zeros.
            return map(layout.size()).map_or(ptr::null_mut(), NonNull::as_ptr);
        }
        // SAFETY: the caller upholds the same requirements.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: the memory is a mapping of this size that is no longer used.
            let _ = unsafe { munmap(memory.cast(), whole_pages(layout.size())) };
        } else {
            // SAFETY: the caller upholds the same requirements.
            unsafe { System.dealloc(memory, layout) }
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises a size that does not overflow, and the alignment is that of a valid layout.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(new)) {
            // SAFETY: the caller upholds the same requirements.
            (false, false) => unsafe { System.realloc(memory, layout, size) },
            (true, true) => {
                let (from, to) = (whole_pages(layout.size()), whole_pages(size));
                // SAFETY: the memory is a mapping of the old size, and from now on the caller uses only the returned one.
                let moved = unsafe { mremap(memory.cast(), from, to, MremapFlags::MAYMOVE) };
                moved.map_or(ptr::null_mut(), |moved| advised(moved.cast(), to))
            }
            _ => {
                // SAFETY: the layout is valid, as above.
                let copy = unsafe { self.alloc(new) };
                if !copy.is_null() {
                    // SAFETY: the length of the copy is that of the shorter block, and the new block does not
                    // overlap the old one, which is freed with its own layout.
                    unsafe {
                        ptr::copy_nonoverlapping(memory, copy, layout.size().min(size));
                        self.dealloc(memory, layout);
                    }
                }
                copy
            }
        }
    }
}

/// Whether an allocation gets its own mapping.
fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= SMALLEST_PAGE
}

fn whole_pages(size: usize) -> usize {
    size.next_multiple_of(PAGE)
}

/// A new mapping, which begins with a huge page if it is long enough for one.
fn map(size: usize) -> Option<NonNull<u8>> {
    let size = whole_pages(size);
    let extra = if size >= HUGE { HUGE } else { 0 };
    let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: a mapping at an address that the system chooses does not overlap any other.
    let mapped =
        unsafe { mmap_anonymous(ptr::null_mut(), size + extra, protection, flags) }.ok()?.cast::<u8>();
    let before = if extra > 0 { mapped.align_offset(HUGE) } else { 0 };
    let start = mapped.wrapping_add(before);
    // SAFETY: the parts before and after belong to the new mapping, but not to the memory that is returned.
    unsafe {
        if before > 0 {
            let _ = munmap(mapped.cast(), before);
        }
        if extra > before {
            let _ = munmap(start.wrapping_add(size).cast(), extra - before);
        }
    }
    NonNull::new(advised(start, size))
}

/// Returns the memory after advising the system that it may use huge pages for it.
fn advised(memory: *mut u8, size: usize) -> *mut u8 {
    if size >= HUGE {
        // SAFETY: the advice does not change the content, and systems without huge pages reject it.
        let _ = unsafe { madvise(memory.cast(), size, Advice::LinuxHugepage) };
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors use this program's allocator; they keep their content while they grow across its size limits and shrink
    /// again.
    #[test]
    fn content_survives_moves_between_small_and_large() {
        let mut numbers: Vec<u64> = Vec::new();
        for step in [10, LARGE / 8 - 1, LARGE / 8, LARGE, 3 * HUGE + 5, HUGE / 8, 100, HUGE, 0] {
            let kept = numbers.len().min(step);
            numbers.truncate(step);
            numbers.shrink_to_fit();
            numbers.extend((kept as u64)..(step as u64));
            assert!(numbers.iter().enumerate().all(|(place, &number)| number == place as u64), "{step}");
        }
    }

    #[test]
    fn large_memory_is_zero_and_aligned() {
        for size in [LARGE, LARGE + 1, HUGE, 5 * HUGE + PAGE] {
            let layout = Layout::from_size_align(size, 64).unwrap();
            // SAFETY: the memory is used within its size and freed with its layout.
            unsafe {
                let memory = Allocator.alloc_zeroed(layout);
                assert!(
                    !memory.is_null()
                        && memory.align_offset(if size < HUGE { SMALLEST_PAGE } else { HUGE }) == 0
                );
                assert!(std::slice::from_raw_parts(memory, size).iter().all(|&byte| byte == 0));
                memory.write_bytes(1, size);
                Allocator.dealloc(memory, layout);
            }
        }
    }
}
