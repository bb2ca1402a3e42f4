package org.inferometer.telemetry;

import java.util.List;
import org.inferometer.record.MemoryOwner;

/// Divides a device's memory in use among owners; the parts add up to the total.
final class MemorySplit {
    /// Memory that is surely resident first; mapped weights last, since unread pages are not resident.
    private static final List<MemoryOwner> MOST_SURELY_RESIDENT_FIRST = List.of(MemoryOwner.ACTIVATIONS,
            MemoryOwner.WORKSPACE, MemoryOwner.KV_CACHE, MemoryOwner.JAVA_RUNTIME, MemoryOwner.WEIGHTS);

    private MemorySplit() {}

    /// Bytes by [MemoryOwner#ordinal()]. The account counts allocations, the total resident memory. If the account exceeds it,
    /// owners are cut, weights first, then those less surely resident. Memory that the account does not
    /// cover is [MemoryOwner#UNATTRIBUTED].
    static long[] of(MemoryAccount books, long totalBytes) {
        long[] parts = new long[MemoryOwner.values().length];
        long left = Math.max(0, totalBytes);
        for (MemoryOwner owner : MOST_SURELY_RESIDENT_FIRST) {
            long part = Math.clamp(books.bytes(owner), 0, left);
            parts[owner.ordinal()] = part;
            left -= part;
        }
        parts[MemoryOwner.UNATTRIBUTED.ordinal()] = left;
        return parts;
    }

    /// The account's sum, for a device that does not report its total.
    static long booked(MemoryAccount books) {
        long sum = 0;
        for (MemoryOwner owner : MOST_SURELY_RESIDENT_FIRST) {
            sum += Math.max(0, books.bytes(owner));
        }
        return sum;
    }
}
