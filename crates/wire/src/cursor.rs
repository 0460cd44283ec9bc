//! Reading and writing the fields of a frame in network byte order.

use crate::WireError;

/// Reads fields from the start of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    pub(crate) fn bytes(&mut self, field: &'static str, length: usize) -> Result<&'a [u8], WireError> {
        let truncated = WireError::Truncated { field, needed: length, left: self.left.len() };
        let (taken, left) = self.left.split_at_checked(length).ok_or(truncated)?;
        self.left = left;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], WireError> {
        let truncated = WireError::Truncated { field, needed: N, left: self.left.len() };
        let (taken, left) = self.left.split_first_chunk().ok_or(truncated)?;
        self.left = left;
        Ok(*taken)
    }

    pub(crate) fn octet(&mut self, field: &'static str) -> Result<u8, WireError> {
        self.array::<1>(field).map(|[octet]| octet)
    }

    pub(crate) fn word(&mut self, field: &'static str) -> Result<u16, WireError> {
        self.array(field).map(u16::from_be_bytes)
    }

    /// The octets that have not been read.
    pub(crate) const fn rest(self) -> &'a [u8] {
        self.left
    }
}

/// Writes fields to the start of a slice.
#[derive(Debug)]
pub(crate) struct Writer<'b> {
    buffer: &'b mut [u8],
    length: usize,
}

impl<'b> Writer<'b> {
    pub(crate) const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    pub(crate) fn bytes(&mut self, field: &'static str, bytes: &[u8]) -> Result<(), WireError> {
        let end = self.length + bytes.len();
        let room = self.buffer.get_mut(self.length..end).ok_or(WireError::NoRoom { field })?;
        room.copy_from_slice(bytes);
        self.length = end;
        Ok(())
    }

    pub(crate) fn word(&mut self, field: &'static str, word: u16) -> Result<(), WireError> {
        self.bytes(field, &word.to_be_bytes())
    }

    /// Writes the beginning of some octets, up to the end of the buffer.
    pub(crate) fn fitting(&mut self, bytes: &[u8]) {
        let room = &mut self.buffer[self.length..];
        let fitting = bytes.len().min(room.len());
        room[..fitting].copy_from_slice(&bytes[..fitting]);
        self.length += fitting;
    }

    /// The number of octets that can still be written.
    pub(crate) const fn room(&self) -> usize {
        self.buffer.len() - self.length
    }

    /// The octets that have been written so far.
    pub(crate) fn written(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Appends zeros up to the given length.
    pub(crate) fn pad_to(&mut self, length: usize) -> Result<(), WireError> {
        if length > self.length {
            let room = self.buffer.get_mut(self.length..length);
            room.ok_or(WireError::NoRoom { field: "padding" })?.fill(0);
            self.length = length;
        }
        Ok(())
    }

    /// The octets that have been written.
    pub(crate) fn finish(self) -> &'b [u8] {
        &self.buffer[..self.length]
    }
}
