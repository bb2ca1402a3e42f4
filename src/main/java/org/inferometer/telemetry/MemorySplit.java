package org.inferometer.telemetry;

import java.util.List;
import org.inferometer.record.MemoryOwner;

/// Divides a device's memory in use among its owners, so that the parts always add up to the total.
final class MemorySplit {
    /// Surely touched memory first; mapped weights last, since pages of the file that nobody has read are not resident.
    private static final List<MemoryOwner> MOST_SURELY_RESIDENT_FIRST =
            List.of(MemoryOwner.ACTIVATIONS, MemoryOwner.WORKSPACE, MemoryOwner.KV_CACHE, MemoryOwner.WEIGHTS);

    private MemorySplit() {}

    /// Bytes by [MemoryOwner#ordinal()]. The books count what was taken, the total what is resident; where the books exceed it, the
    /// owners are cut in reverse order of how surely their memory has been touched, weights first. What the books do not
    /// explain is [MemoryOwner#UNATTRIBUTED].
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

    /// What the books say in all, for a device that does not tell its total.
    static long booked(MemoryAccount books) {
        long sum = 0;
        for (MemoryOwner owner : MOST_SURELY_RESIDENT_FIRST) {
            sum += Math.max(0, books.bytes(owner));
        }
        return sum;
    }
}
