package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.StepReport;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineMemory;
import org.inferometer.report.timeline.RunTimelineRequest;
import org.inferometer.report.timeline.RunTimelineStep;
import org.inferometer.ui.timeline.TimelineDetails.DetailLine;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.inferometer.units.QuantityText;

/// Details of a step, a request or a measured range.
///
/// @param title "Step 1042"
/// @param reason of the scheduler; may be empty
/// @param lines name and value
public record TimelineDetails(String title, String reason, List<DetailLine> lines) {
    private static final int MOST_REQUESTS_NAMED = 64;

    /// No details.
    public static final TimelineDetails NONE = new TimelineDetails("", "", List.of());

    /// @param value with unit
    public record DetailLine(String name, String value) {}

    /// Whether there are no details.
    public boolean isEmpty() {
        return title.isEmpty();
    }

    /// The same with the name of the run.
    TimelineDetails inRun(String run) {
        List<DetailLine> named = new ArrayList<>();
        add(named, "run", run);
        named.addAll(lines);
        return new TimelineDetails(title, reason, List.copyOf(named));
    }

    /// Everything as lines of text, for clipboard and screen reader.
    public String describe() {
        String figures =
                lines.stream().map(line -> line.name() + ": " + line.value()).collect(Collectors.joining("\n"));
        return List.of(title, reason, figures).stream().filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    static TimelineDetails ofStep(RunTimeline timeline, RunTimelineStep shown) {
        StepReport step = shown.report();
        List<DetailLine> lines = new ArrayList<>();
        add(lines, "lane", shown.lane());
        add(lines, "did", text("timeline.did." + shown.kind().name().toLowerCase(Locale.ROOT)));
        add(lines, "start", instant(step.startNanos() - timeline.originNanos()));
        add(lines, "duration", QuantityText.latency(shown.lengthNanos()));
        if (shown.kind() == RunTimelineStep.Kind.TRANSFER) {
            add(lines, "moved", QuantityText.bytes(step.movedBytes()));
        } else {
            add(lines, "kernel",
                    withShare(QuantityText.latency(step.kernelNanos()), step.kernelNanos(), shown.lengthNanos()));
            add(lines, "rows", Integer.toString(step.slices().size()));
            add(lines, "prefill", Integer.toString(step.prefillPositions()));
            add(lines, "decode", Integer.toString(step.decodeRows()));
            int all = step.prefillPositions() + step.decodeRows() + step.paddingRows();
            add(lines, "padding", withShare(Integer.toString(step.paddingRows()), step.paddingRows(), all));
        }
        add(lines, "decision", QuantityText.latency(step.decisionNanos()));
        String held = Integer.toString(step.kvBlocksHeld());
        add(lines, "kv",
                shown.poolBlocks().isEmpty() ? held
                        : withShare(text("timeline.of", held, shown.poolBlocks().getAsInt()), step.kvBlocksHeld(),
                                shown.poolBlocks().getAsInt()));
        add(lines, "queue", text("timeline.waiting-running", step.waiting(), step.running()));
        boolean several = step.slices().toList().stream().anyMatch(part -> part.count() > 1);
        add(lines, several ? "which-positions" : "which", requests(step));
        return new TimelineDetails(text("timeline.step", step.number()), step.reason(), lines);
    }

    static TimelineDetails ofRequest(RunTimeline timeline, RunTimelineRequest request) {
        List<DetailLine> lines = new ArrayList<>();
        add(lines, "phase", text(request.warmUp() ? "timeline.is-warm-up" : "timeline.is-measured"));
        add(lines, "tokens", text("timeline.tokens", request.promptTokens(), request.outputTokens()));
        add(lines, "sent", instant(request.startNanos() - timeline.originNanos()));
        between(lines, "queued", OptionalLong.of(request.startNanos()), request.prefillStartNanos());
        between(lines, "prefilled", request.prefillStartNanos(), request.firstTokenNanos());
        between(lines, "ttft", request.intendedNanos(), request.firstTokenNanos());
        between(lines, "decoded", request.firstTokenNanos(), request.lastTokenNanos());
        if (request.preemptions() > 0) {
            add(lines, "preempted",
                    text("timeline.preempted", request.preemptions(), QuantityText.latency(request.preemptedNanos())));
        }
        if (request.ok()) {
            between(lines, "e2e", request.intendedNanos(), request.lastTokenNanos());
        }
        add(lines, "lasted", QuantityText.latency(request.endNanos() - request.startNanos()));
        add(lines, "status", request.status());
        return new TimelineDetails(text("timeline.request", request.request()), request.reason(), lines);
    }

    /// A measured range.
    static TimelineDetails ofStretch(TimelineSheet sheet, TimeWindow stretch) {
        List<DetailLine> lines = new ArrayList<>();
        add(lines, "start", instant(stretch.from()));
        add(lines, "end", instant(stretch.to()));
        add(lines, "duration", QuantityText.latency(stretch.length()));
        for (int panel = 0; panel < sheet.panels().size(); panel++) {
            long tokens = sheet.panels().get(panel).tokensBetween(sheet.runNanos(panel, stretch.from()),
                    sheet.runNanos(panel, stretch.to()));
            // The number by which the chooser and the row's title name the run: "6: disaggregated".
            String run = sheet.panels().size() == 1 ? ""
                    : " " + text("timeline.run-short", sheet.titles().get(panel).split(":", 2)[0]);
            lines.add(new DetailLine(text("timeline.line.tokens-inside") + run, Long.toString(tokens)));
            lines.add(new DetailLine(text("timeline.line.rate-inside") + run,
                    QuantityText.significant(tokens / (stretch.length() / 1e9)) + " tok/s"));
        }
        return new TimelineDetails(text("timeline.measured"), "", lines);
    }

    /// "+1234.567 ms" since measuring began.
    static String instant(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6).replace('-', '−');
    }

    private static String requests(StepReport step) {
        String named = step
                .slices().toList().stream().limit(MOST_REQUESTS_NAMED).map(part -> part.count() == 1
                        ? Integer.toString(part.request().index()) : part.request().index() + " (" + part.count() + ")")
                .collect(Collectors.joining(", "));
        if (named.isEmpty()) {
            return text("figure.not-recorded");
        }
        int more = step.slices().size() - MOST_REQUESTS_NAMED;
        return more > 0 ? text("timeline.and-more", named, more) : named;
    }

    private static void between(List<DetailLine> lines, String name, OptionalLong from, OptionalLong to) {
        boolean known = from.isPresent() && to.isPresent();
        add(lines, name, known ? QuantityText.latency(to.getAsLong() - from.getAsLong()) : text("figure.not-recorded"));
    }

    private static String withShare(String value, double part, double whole) {
        return whole <= 0 ? value : value + " (" + QuantityText.significant(100 * part / whole) + " %)";
    }

    private static void add(List<DetailLine> lines, String name, String value) {
        lines.add(new DetailLine(text("timeline.line." + name), value));
    }

    /// An instant in a row of values.
    static TimelineDetails ofValue(RunTimeline timeline, TimelineMark.OfValue mark, TimelineDisplay display) {
        return mark.row() == TimelineSheet.SheetRowKind.MEMORY ? ofMemory(timeline, mark.nanos(), display)
                : ofCounter(timeline, timeline.counters().get(mark.index()), mark.nanos());
    }

    private static TimelineDetails ofMemory(RunTimeline timeline, long nanos, TimelineDisplay display) {
        RunTimelineMemory memory = timeline.memory();
        List<DetailLine> lines = new ArrayList<>();
        int sample = memory.at(nanos);
        add(lines, "at", instant(nanos - timeline.originNanos()));
        for (MemoryOwner owner : memory.owners()) {
            String name =
                    display.hidden().contains(owner) ? text("timeline.hidden-owner", owner.label()) : owner.label();
            lines.add(new DetailLine(name,
                    sample < 0 ? text("figure.not-recorded") : QuantityText.bytes(memory.bytes(owner, sample))));
        }
        add(lines, "total", sample < 0 ? text("figure.not-recorded") : QuantityText.bytes(memory.total(sample)));
        add(lines, "peak-total", QuantityText.bytes(memory.peakTotal()));
        return new TimelineDetails(text("timeline.memory-title"), "", lines);
    }

    private static TimelineDetails ofCounter(RunTimeline timeline, RunTimelineCounter counter, long nanos) {
        List<DetailLine> lines = new ArrayList<>();
        int at = nanos > counter.endNanos() ? -1 : counter.at(nanos);
        boolean known = at >= 0 && !Double.isNaN(counter.value(at));
        long instant = counter.kind().held() || at < 0 ? nanos : counter.instant(at);
        add(lines, counter.kind().held() ? "at" : "sent", instant(instant - timeline.originNanos()));
        add(lines, "value", known ? counter.kind().unit().text(counter.value(at)) : text("figure.not-recorded"));
        add(lines, "least", counter.kind().unit().text(counter.least()));
        add(lines, "peak", counter.kind().unit().text(counter.peak()));
        if (counter.kind().capacity() > 0) {
            add(lines, "capacity", counter.kind().unit().text(counter.kind().capacity()));
        }
        MachineDescription.Environment environment = timeline.run().manifest().machine().environment();
        Double others = environment == null ? null : environment.backgroundLoad();
        if (counter.kind().group() == RunTimelineCounter.Group.HOST && others != null) {
            add(lines, "others", text("timeline.share", QuantityText.significant(100 * others)));
        }
        return new TimelineDetails(counter.name(), "", lines);
    }
}
