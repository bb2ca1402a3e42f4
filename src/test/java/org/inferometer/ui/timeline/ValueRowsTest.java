package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineCounter.CounterUnit;
import org.inferometer.report.timeline.RunTimelineMemory;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.ui.timeline.CounterPainter.CounterScale;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.SampledRuns;
import org.junit.jupiter.api.Test;

class ValueRowsTest {
    private static final long MS = 1_000_000;
    private static final long MIB = 1 << 20;
    private static final Set<MemoryOwner> MODEL =
            EnumSet.of(MemoryOwner.WEIGHTS, MemoryOwner.KV_CACHE, MemoryOwner.ACTIVATIONS, MemoryOwner.WORKSPACE);
    private final RunTimeline timeline =
            RunTimelineRecords.timeline(SampledRuns.of(Experiments.virtual(Path.of("results")).runs().getFirst()));

    private RunTimelineCounter counter(String name) {
        return timeline.counters().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void rowsAreWhatIsRecorded() {
        assertThat(timeline.counters()).extracting(RunTimelineCounter::name).containsExactly("running", "waiting",
                "KV blocks", "GPU use", "GPU memory access", "GPU clock", "GPU power", "GPU temperature", "CPU",
                "Java heap", "GC", "send lateness");
        assertThat(new TimelineSheet(List.of(timeline), List.of("run")).rows())
                .filteredOn(row -> row.kind() == TimelineSheet.SheetRowKind.MEMORY).hasSize(1);
        RunTimeline bare = RunTimelineRecords.timeline(RunTimelineRecords.small());
        assertThat(new TimelineSheet(List.of(bare), List.of("run")).rows())
                .noneMatch(row -> row.kind() == TimelineSheet.SheetRowKind.MEMORY)
                .extracting(TimelineSheet.SheetRow::label).doesNotContain("GPU use", "CPU", "GC");
    }

    @Test
    void ownersThatDwarfTheModelAreHiddenFirst() {
        TimelineDisplay display = TimelineDisplay.of(new TimelineSheet(List.of(timeline), List.of("run")), false);
        assertThat(display.hidden()).containsExactlyInAnyOrder(MemoryOwner.JAVA_RUNTIME, MemoryOwner.UNATTRIBUTED);
        assertThat(display.shown(timeline.memory().owners())).isEqualTo(MODEL);
        assertThat(display.with(MemoryOwner.UNATTRIBUTED, true).hidden()).containsExactly(MemoryOwner.JAVA_RUNTIME);
    }

    @Test
    void memoryIsStackedFromTheWeightsUp() {
        RunTimelineMemory memory = timeline.memory();
        double highest = memory.peak(MODEL);
        assertThat(highest).isEqualTo((15 + 10 + 2 + 14) * MIB);
        List<MemoryPainter.Layer> layers = MemoryPainter.layers(memory, 50, MODEL, highest);
        assertThat(layers).extracting(MemoryPainter.Layer::owner).containsExactlyElementsOf(MODEL);
        assertThat(layers.get(1).from()).isCloseTo(15 / 41.0, within(1e-9));
        assertThat(layers.get(1).to()).isCloseTo(25 / 41.0, within(1e-9));
        assertThat(layers.getLast().to()).isCloseTo(1, within(1e-9));
        assertThat(MemoryPainter.owner(memory, 20 + 15 + 1)).contains(MemoryOwner.KV_CACHE);
        assertThat(MemoryPainter.owner(memory, 5)).isEmpty();
    }

    @Test
    void memorySpikeOfOneSampleKeepsItsColumn() {
        List<ValueBars.MemoryBar> bars = ValueBars.of(timeline.memory(), 0, 840 * MS, 12, MODEL);
        assertThat(bars).contains(new ValueBars.MemoryBar(7, 8, 50));
        assertThat(ValueBars.of(timeline.memory(), 0, 840 * MS, 840, MODEL)).hasSizeLessThanOrEqualTo(86)
                .contains(new ValueBars.MemoryBar(499, 510, 50));
    }

    @Test
    void equalColumnsAreOneBar() {
        RunTimelineCounter temperature = counter("GPU temperature");
        assertThat(ValueBars.of(temperature, 0, 840 * MS, 420)).first()
                .isEqualTo(new ValueBars.CounterBar(0, 99, 51, 51, 51));
        assertThat(ValueBars.of(counter("CPU"), 0, 840 * MS, 1000)).allMatch(bar -> bar.high() <= 2.5);
    }

    @Test
    void latenessIsANeedleAtEachSend() {
        RunTimelineCounter lateness = counter("send lateness");
        assertThat(lateness.kind().held()).isFalse();
        assertThat(lateness.peak()).isEqualTo(20_000 + 8 * 40_000);
        long first = lateness.instant(0);
        assertThat(ValueBars.of(lateness, first, first + 1_000, 10))
                .containsExactly(new ValueBars.CounterBar(0, 1, 20_000, 20_000, 20_000));
        assertThat(ValueBars.of(lateness, first + 1_000, first + 2_000, 10)).isEmpty();
    }

    @Test
    void scalesAreTheirOwn() {
        RunTimelineCounter pool = counter("KV blocks");
        assertThat(CounterScale.of(pool, false))
                .isEqualTo(new CounterScale(0, pool.peak(), "0", CounterUnit.COUNT.text(pool.peak())));
        assertThat(CounterScale.of(pool, true)).isEqualTo(new CounterScale(0, 64, "0 %", "100 %"));
        assertThat(CounterScale.of(counter("GPU temperature"), false))
                .isEqualTo(new CounterScale(51, 55, "51.0 °C", "55.0 °C"));
        assertThat(CounterScale.of(counter("GPU use"), false).high()).isEqualTo(100);
        assertThat(CounterScale.of(counter("GPU power"), true).share(counter("GPU power").peak())).isEqualTo(1);
    }

    @Test
    void zerosAloneHaveNoUpperLabel() {
        RunTimelineCounter lateness = RunTimelineRecords.timeline(RunTimelineRecords.small()).counters().getLast();
        assertThat(CounterScale.of(lateness, false)).isEqualTo(new CounterScale(0, 1, "0", ""));
    }

    @Test
    void rowsOfValuesStayWithinTheirRectangles() {
        assertThat(ValueBars.columns(3000, 40) * 40).isLessThanOrEqualTo(ValueBars.MOST_RECTANGLES);
        assertThat(ValueBars.columns(800, 4)).isEqualTo(800);
    }

    @Test
    void detailsNameEveryOwnerAndTheTotal() {
        TimelineDisplay display = TimelineDisplay.ALL.with(MemoryOwner.JAVA_RUNTIME, false);
        TimelineDetails details = TimelineDetails.ofValue(timeline,
                new TimelineMark.OfValue(0, TimelineSheet.SheetRowKind.MEMORY, 0, 505 * MS), display);
        assertThat(details.lines()).contains(new TimelineDetails.DetailLine("Workspace", "14.0 MiB"),
                new TimelineDetails.DetailLine("Java runtime (hidden)", "180 MiB"),
                new TimelineDetails.DetailLine("Total", "281 MiB"),
                new TimelineDetails.DetailLine("Peak of the total", "281 MiB"));
    }

    @Test
    void memoryOfAClientHasNoRow() {
        RunRecord run = SampledRuns.of(RunTimelineRecords.small());
        RunObservations seen = run.observations();
        RunObservations.Setup here = seen.setup();
        RunRecord client = new RunRecord(run.folderName(), run.manifest(), new RunObservations(seen.requests(),
                seen.steps(), seen.telemetry(),
                new RunObservations.Setup(here.lanes(), here.laneThreads(), here.poolBlocks(), here.maxBatchRows(),
                        here.cores(), here.reusesPrefixes(), false, here.goal(), here.load()),
                seen.events()), List.of());
        assertThat(RunTimelineRecords.timeline(run).memory().isEmpty()).isFalse();
        assertThat(RunTimelineRecords.timeline(client).memory().isEmpty()).isTrue();
        assertThat(RunTimelineRecords.timeline(client).counters()).extracting(RunTimelineCounter::name)
                .contains("client CPU", "client GC").doesNotContain("CPU");
    }
}
