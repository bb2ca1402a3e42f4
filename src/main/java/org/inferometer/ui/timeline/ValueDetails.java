package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineMemory;
import org.inferometer.ui.timeline.TimelineDetails.DetailLine;
import org.inferometer.units.QuantityText;

/// Details of an instant in a row of values.
final class ValueDetails {
    private ValueDetails() {}

    static TimelineDetails of(RunTimeline timeline, TimelineMark.OfValue mark, TimelineDisplay display) {
        return mark.row() == TimelineSheet.SheetRowKind.MEMORY ? ofMemory(timeline, mark.nanos(), display)
                : ofCounter(timeline, timeline.counters().get(mark.index()), mark.nanos());
    }

    private static TimelineDetails ofMemory(RunTimeline timeline, long nanos, TimelineDisplay display) {
        RunTimelineMemory memory = timeline.memory();
        List<DetailLine> lines = new ArrayList<>();
        int sample = memory.at(nanos);
        lines.add(line("at", TimelineDetails.instant(nanos - timeline.originNanos())));
        for (MemoryOwner owner : memory.owners()) {
            String name =
                    display.hidden().contains(owner) ? text("timeline.hidden-owner", owner.label()) : owner.label();
            lines.add(new DetailLine(name,
                    sample < 0 ? text("figure.not-recorded") : QuantityText.bytes(memory.bytes(owner, sample))));
        }
        lines.add(line("total", sample < 0 ? text("figure.not-recorded") : QuantityText.bytes(memory.total(sample))));
        lines.add(line("peak-total", QuantityText.bytes(memory.peakTotal())));
        return new TimelineDetails(text("timeline.memory-title"), "", lines);
    }

    private static TimelineDetails ofCounter(RunTimeline timeline, RunTimelineCounter counter, long nanos) {
        List<DetailLine> lines = new ArrayList<>();
        int at = nanos > counter.endNanos() ? -1 : counter.at(nanos);
        boolean known = at >= 0 && !Double.isNaN(counter.value(at));
        long instant = counter.kind().held() || at < 0 ? nanos : counter.instant(at);
        lines.add(
                line(counter.kind().held() ? "at" : "sent", TimelineDetails.instant(instant - timeline.originNanos())));
        lines.add(line("value", known ? counter.kind().unit().text(counter.value(at)) : text("figure.not-recorded")));
        lines.add(line("least", counter.kind().unit().text(counter.least())));
        lines.add(line("peak", counter.kind().unit().text(counter.peak())));
        if (counter.kind().capacity() > 0) {
            lines.add(line("capacity", counter.kind().unit().text(counter.kind().capacity())));
        }
        MachineDescription.Environment environment = timeline.run().manifest().machine().environment();
        Double others = environment == null ? null : environment.backgroundLoad();
        if (counter.kind().group() == RunTimelineCounter.Group.HOST && others != null) {
            lines.add(line("others", text("timeline.share", QuantityText.significant(100 * others))));
        }
        return new TimelineDetails(counter.name(), "", lines);
    }

    private static DetailLine line(String name, String value) {
        return new DetailLine(text("timeline.line." + name), value);
    }
}
