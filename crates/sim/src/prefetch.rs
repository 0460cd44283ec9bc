//! Loading memory into the cache before it is needed.

#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    expect(
        unsafe_code,
        reason = "a prefetch instruction takes a pointer, and the standard library has no safe wrapper for it"
    )
)]

/// Whether a prefetch instruction is implemented for this kind of processor.
pub(crate) const IS_AVAILABLE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The size of a cache line.
const LINE: usize = 64;

/// Begins to load a value into the cache, without waiting for it. If the value does not begin at a cache line, its last
/// line may be omitted. Does nothing on processors for which no prefetch instruction is implemented here.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    let first = std::ptr::from_ref(value).cast::<i8>();
    let mut offset = 0;
    loop {
        prefetch_line(first.wrapping_add(offset));
        offset += LINE;
        if offset >= size_of::<T>() {
            break;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_line(address: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch affects only the speed of a program, whatever the address, and every x86-64 processor supports it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address) }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn prefetch_line(address: *const i8) {
    // SAFETY: a prefetch affects only the speed of a program, whatever the address; no register or flag changes.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{address}]", address = in(reg) address, options(nostack, preserves_flags, readonly));
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
fn prefetch_line(_address: *const i8) {}
