import CMalloc

/// What the C library does with memory that is not used any more. It keeps it, for each thread apart, which suits programs
/// that are busy all the time. This one is busy for a moment twice a minute.
package enum Heap {
    /// One heap for all threads; call it before the second one starts.
    package static func share() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Gives free pages back to the system. Takes about a millisecond for every ten megabytes.
    package static func trim() {
        malloc_trim(0)
    }
}
