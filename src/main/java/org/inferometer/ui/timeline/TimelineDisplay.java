package org.inferometer.ui.timeline;

import java.util.EnumSet;
import java.util.Set;
import org.inferometer.record.MemoryOwner;

/// What the rows of values show.
///
/// @param hidden owners left out of the memory row
/// @param wholePool whether KV blocks are drawn on the scale of the whole pool; else on 0 to their peak
public record TimelineDisplay(Set<MemoryOwner> hidden, boolean wholePool) {
    /// All owners, and KV blocks on their own scale.
    public static final TimelineDisplay ALL = new TimelineDisplay(Set.of(), false);

    public TimelineDisplay {
        hidden = Set.copyOf(hidden);
    }

    /// A sheet as it opens: without the owners that dwarf the others in any of its runs.
    static TimelineDisplay of(TimelineSheet sheet, boolean wholePool) {
        EnumSet<MemoryOwner> hidden = EnumSet.noneOf(MemoryOwner.class);
        sheet.panels().forEach(timeline -> hidden.addAll(timeline.memory().dwarfing()));
        return new TimelineDisplay(hidden, wholePool);
    }

    /// The same with an owner shown or hidden.
    public TimelineDisplay with(MemoryOwner owner, boolean shown) {
        EnumSet<MemoryOwner> changed = EnumSet.noneOf(MemoryOwner.class);
        changed.addAll(hidden);
        if (shown) {
            changed.remove(owner);
        } else {
            changed.add(owner);
        }
        return new TimelineDisplay(changed, wholePool);
    }

    /// The same on the other scale of KV blocks.
    public TimelineDisplay withWholePool(boolean whole) {
        return new TimelineDisplay(hidden, whole);
    }

    /// The recorded owners that are shown.
    Set<MemoryOwner> shown(Set<MemoryOwner> recorded) {
        EnumSet<MemoryOwner> shown = EnumSet.noneOf(MemoryOwner.class);
        shown.addAll(recorded);
        shown.removeAll(hidden);
        return shown;
    }
}
