package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// State of the live area. Belongs to the UI thread.
public final class LiveViewModel {
    private final ReadOnlyObjectWrapper<Kpi> tokens = new ReadOnlyObjectWrapper<>(Kpi.NONE);
    private final ReadOnlyObjectWrapper<Kpi> requests = new ReadOnlyObjectWrapper<>(Kpi.NONE);
    private final ReadOnlyObjectWrapper<Kpi> ttft = new ReadOnlyObjectWrapper<>(Kpi.NONE);
    private final ReadOnlyObjectWrapper<Kpi> itl = new ReadOnlyObjectWrapper<>(Kpi.NONE);
    private final ReadOnlyObjectWrapper<Kpi> inSystem = new ReadOnlyObjectWrapper<>(Kpi.NONE);
    private final ReadOnlyStringWrapper headline = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper phase = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper elapsed = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper remaining = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper sampling = new ReadOnlyStringWrapper("");
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyDoubleWrapper runProgress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyObjectWrapper<@Nullable ChartData> throughput = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable ChartData> latency = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable ChartData> memory = new ReadOnlyObjectWrapper<>();
    private final ObservableList<LiveSnapshot.RunLine> runs = FXCollections.observableArrayList();
    private int shownRun = -1;

    /// Clears everything for a new experiment.
    public void reset() {
        List.of(tokens, requests, ttft, itl, inSystem).forEach(kpi -> kpi.set(Kpi.NONE));
        headline.set(text("live.starting"));
        phase.set("");
        elapsed.set(QuantityText.minutesSeconds(0));
        remaining.set("");
        sampling.set("");
        progress.set(0);
        runProgress.set(0);
        clearCharts();
        runs.clear();
        shownRun = -1;
    }

    /// Shows a snapshot.
    public void apply(LiveSnapshot snapshot) {
        if (snapshot.current() != shownRun) {
            shownRun = snapshot.current();
            clearCharts();
            List.of(tokens, requests, ttft, itl, inSystem).forEach(kpi -> kpi.set(Kpi.NONE));
        }
        headline.set(headlineOf(snapshot));
        phase.set(phaseOf(snapshot));
        runProgress.set(LiveFigures.runFraction(snapshot));
        applyTime(snapshot);
        if (!runs.equals(snapshot.runs())) {
            runs.setAll(snapshot.runs());
        }
        snapshot.newest().ifPresent(live -> showFigures(snapshot, live));
        LiveCharts.throughput(snapshot).ifPresent(throughput::set);
        LiveCharts.latency(snapshot).ifPresent(latency::set);
        LiveCharts.memory(snapshot).ifPresent(memory::set);
    }

    /// Updates only progress and time, for the status line.
    void applyTime(LiveSnapshot snapshot) {
        progress.set(LiveFigures.fractionDone(snapshot));
        elapsed.set(QuantityText.minutesSeconds(snapshot.elapsedSeconds()));
        OptionalDouble left = LiveFigures.remainingSeconds(snapshot.elapsedSeconds(), progress.get());
        remaining.set(left.isPresent() ? text("live.eta", QuantityText.minutesSeconds(left.getAsDouble())) : "");
        sampling.set(text("live.sampling", snapshot.sampleEveryMillis(), snapshot.droppedSamples()));
    }

    private void showFigures(LiveSnapshot snapshot, WorkerFrame.Live live) {
        boolean warming = live.phase() == Phase.WARM_UP;
        String basis = warming ? text("live.warm-up") : "";
        OptionalDouble rate = LiveFigures.outputTokensPerSecond(snapshot);
        tokens.set(new Kpi(number(rate), "tok/s", warming ? basis : text("kpi.last-second"), warming));
        requests.set(new Kpi(number(LiveFigures.requestsPerSecond(snapshot)), "req/s", warming ? basis : done(live),
                warming));
        showLatency(ttft, live.ttftBins(), warming);
        showLatency(itl, live.itlBins(), warming);
        boolean reported = live.waiting() >= 0;
        inSystem.set(new Kpi(live.running() + " / " + (reported ? live.waiting() : "–"), "",
                text(reported ? "kpi.in-system.note" : "kpi.in-flight.note"), warming));
    }

    private static String done(WorkerFrame.Live live) {
        return live.phaseTotal() > 0 ? text("kpi.done", live.phaseDone(), live.phaseTotal())
                : text("kpi.done-so-far", live.phaseDone());
    }

    private static void showLatency(ReadOnlyObjectWrapper<Kpi> kpi, long[] bins, boolean warming) {
        OptionalDouble median = LiveFigures.medianNanos(bins);
        if (median.isEmpty()) {
            kpi.set(new Kpi("–", "", warming ? text("live.warm-up") : "", warming));
            return;
        }
        long n = Arrays.stream(bins).sum();
        String[] words = QuantityText.latency(median.getAsDouble()).split(" ", 2);
        kpi.set(new Kpi("≈ " + words[0], words[1], warming ? text("live.warm-up") : text("kpi.n", n), warming));
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? QuantityText.significant(value.getAsDouble()) : "–";
    }

    private static String headlineOf(LiveSnapshot snapshot) {
        if (!snapshot.building().isEmpty()) {
            return text("live.building", snapshot.building(), Math.round(snapshot.buildFraction() * 100));
        }
        if (snapshot.current() < 0 || snapshot.current() >= snapshot.runs().size()) {
            return text("live.starting");
        }
        LiveSnapshot.RunLine line = snapshot.runs().get(snapshot.current());
        return snapshot.openEnded() ? text("live.headline-search", snapshot.current() + 1, line.label())
                : text("live.headline", snapshot.current() + 1, snapshot.runs().size(), line.label());
    }

    private static String phaseOf(LiveSnapshot snapshot) {
        return snapshot.current() < 0 ? "" : text("phase." + snapshot.phase().label());
    }

    private void clearCharts() {
        throughput.set(null);
        latency.set(null);
        memory.set(null);
    }

    /// The five KPIs in order, by their key in the message bundle.
    public Map<String, ReadOnlyObjectProperty<Kpi>> kpis() {
        Map<String, ReadOnlyObjectProperty<Kpi>> kpis = new LinkedHashMap<>();
        kpis.put("kpi.tokens", tokens.getReadOnlyProperty());
        kpis.put("kpi.requests", requests.getReadOnlyProperty());
        kpis.put("kpi.ttft", ttft.getReadOnlyProperty());
        kpis.put("kpi.itl", itl.getReadOnlyProperty());
        kpis.put("kpi.in-system", inSystem.getReadOnlyProperty());
        return kpis;
    }

    /// "Run 2 of 4 · tiny-fp8 · continuous · short".
    public ReadOnlyStringProperty headline() {
        return headline.getReadOnlyProperty();
    }

    /// "warm-up".
    public ReadOnlyStringProperty phase() {
        return phase.getReadOnlyProperty();
    }

    /// "00:12".
    public ReadOnlyStringProperty elapsed() {
        return elapsed.getReadOnlyProperty();
    }

    /// "about 00:09 left"; empty while unknown.
    public ReadOnlyStringProperty remaining() {
        return remaining.getReadOnlyProperty();
    }

    /// Sampling period and dropped samples.
    public ReadOnlyStringProperty sampling() {
        return sampling.getReadOnlyProperty();
    }

    /// Progress over all runs, 0 to 1.
    public ReadOnlyDoubleProperty progress() {
        return progress.getReadOnlyProperty();
    }

    /// Progress of the current run, 0 to 1.
    public ReadOnlyDoubleProperty runProgress() {
        return runProgress.getReadOnlyProperty();
    }

    /// Throughput chart; null before the first data.
    public ReadOnlyObjectProperty<@Nullable ChartData> throughput() {
        return throughput.getReadOnlyProperty();
    }

    /// Latency chart; null before the first data.
    public ReadOnlyObjectProperty<@Nullable ChartData> latency() {
        return latency.getReadOnlyProperty();
    }

    /// Memory chart; null before the first data.
    public ReadOnlyObjectProperty<@Nullable ChartData> memory() {
        return memory.getReadOnlyProperty();
    }

    /// The planned runs and their states.
    public ObservableList<LiveSnapshot.RunLine> runs() {
        return runs;
    }
}
