package org.inferometer.report.timeline;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.BinarySearch;

/// The memory of a run's device by owner over time: each sample holds until the next. Immutable.
public final class RunTimelineMemory {
    private final long[] instants;
    private final long[][] bytes; // [owners][samples]
    private final long[] totals;
    private final Set<MemoryOwner> owners = EnumSet.noneOf(MemoryOwner.class);

    /// Receives the columns of a window.
    public interface ColumnVisitor {
        /// @param column from 0
        /// @param sample the sample of the column in which the shown owners have most bytes
        void column(int column, int sample);
    }

    /// @param samples in order of time; may be empty
    RunTimelineMemory(List<TelemetrySample> samples) {
        instants = samples.stream().mapToLong(TelemetrySample::nanos).toArray();
        totals = samples.stream().mapToLong(TelemetrySample::totalBytes).toArray();
        bytes = new long[MemoryOwner.values().length][];
        for (MemoryOwner owner : MemoryOwner.values()) {
            // Owners that a record does not separate are -1.
            bytes[owner.ordinal()] =
                    samples.stream().mapToLong(sample -> Math.max(0, sample.ownerBytes()[owner.ordinal()])).toArray();
            if (peak(owner) > 0) {
                owners.add(owner);
            }
        }
    }

    /// Whether no sample has memory.
    public boolean isEmpty() {
        return owners.isEmpty();
    }

    /// The owners that have bytes at any time, in their order.
    public Set<MemoryOwner> owners() {
        return EnumSet.copyOf(owners);
    }

    /// The Java runtime and unattributed memory, where these two have more at their peak than all others together, which then cannot be
    /// seen.
    public Set<MemoryOwner> dwarfing() {
        EnumSet<MemoryOwner> rest = EnumSet.copyOf(owners);
        rest.retainAll(EnumSet.of(MemoryOwner.JAVA_RUNTIME, MemoryOwner.UNATTRIBUTED));
        EnumSet<MemoryOwner> seen = EnumSet.copyOf(owners);
        seen.removeAll(rest);
        return !seen.isEmpty() && peak(rest) > peak(seen) ? rest : EnumSet.noneOf(MemoryOwner.class);
    }

    /// Index of the sample that holds at an instant, or -1 before the first and after the last.
    public int at(long nanos) {
        int found = Arrays.binarySearch(instants, nanos);
        int index = found >= 0 ? found : -found - 2;
        return nanos > endNanos() ? -1 : index;
    }

    /// The instant of the last sample.
    public long endNanos() {
        return instants.length == 0 ? Long.MIN_VALUE : instants[instants.length - 1];
    }

    /// Bytes of an owner in a sample.
    public long bytes(MemoryOwner owner, int sample) {
        return bytes[owner.ordinal()][sample];
    }

    /// Bytes of some owners in a sample.
    public long bytes(Collection<MemoryOwner> some, int sample) {
        long sum = 0;
        for (MemoryOwner owner : some) {
            sum += bytes(owner, sample);
        }
        return sum;
    }

    /// The device's memory in use in a sample.
    public long total(int sample) {
        return totals[sample];
    }

    /// The largest total.
    public long peakTotal() {
        return Arrays.stream(totals).max().orElse(0);
    }

    /// The most bytes of an owner.
    public long peak(MemoryOwner owner) {
        return Arrays.stream(bytes[owner.ordinal()]).max().orElse(0);
    }

    /// The most bytes of some owners together.
    public long peak(Collection<MemoryOwner> some) {
        long peak = 0;
        for (int sample = 0; sample < instants.length; sample++) {
            peak = Math.max(peak, bytes(some, sample));
        }
        return peak;
    }

    /// Gives the columns of a window, from the first with a sample to the last: a spike of one sample is in its column.
    public void columns(long from, long to, int columns, Collection<MemoryOwner> shown, ColumnVisitor visitor) {
        double nanosPerColumn = (double) (to - from) / columns;
        int before = notAfter(from);
        for (int column = 0; column < columns && from + column * nanosPerColumn <= endNanos(); column++) {
            int last = notAfter((long) (from + (column + 1) * nanosPerColumn));
            int most = Math.max(0, before);
            for (int sample = most + 1; sample <= last; sample++) {
                most = bytes(shown, sample) > bytes(shown, most) ? sample : most;
            }
            if (last >= 0) {
                visitor.column(column, most);
            }
            before = last;
        }
    }

    private int notAfter(long nanos) {
        return BinarySearch.first(instants.length, sample -> instants[sample] > nanos) - 1;
    }
}
