package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.RunOutlines.RunOutline;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// State of the live area. Belongs to the UI thread.
public final class LiveViewModel {
    private final ReadOnlyObjectWrapper<Map<String, Kpi>> kpis = new ReadOnlyObjectWrapper<>(Kpi.NONES);
    private final ReadOnlyObjectWrapper<LiveTime> time = new ReadOnlyObjectWrapper<>(LiveTime.START);
    private final ReadOnlyDoubleWrapper runProgress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyObjectWrapper<Optional<LiveMode>> chosen = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObjectProperty<LiveMode> mode = new SimpleObjectProperty<>(LiveMode.LIVE);
    private final ReadOnlyStringWrapper step = new ReadOnlyStringWrapper("");
    private final Map<LiveChart, ReadOnlyObjectWrapper<@Nullable ChartData>> charts = new EnumMap<>(LiveChart.class);
    private final ObservableList<LiveSnapshot.RunLine> runs = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<List<LiveStrip>> strips = new ReadOnlyObjectWrapper<>(List.of());
    private final LiveTrends trends = new LiveTrends(Kpi.NONES.keySet());

    /// Without data.
    public LiveViewModel() {
        for (LiveChart chart : LiveChart.values()) {
            charts.put(chart, new ReadOnlyObjectWrapper<>());
        }
    }

    /// Clears everything for a new experiment.
    public void reset() {
        kpis.set(Kpi.NONES);
        time.set(LiveTime.START);
        runProgress.set(0);
        step.set("");
        charts.values().forEach(chart -> chart.set(null));
        runs.clear();
        strips.set(List.of());
        trends.reset();
    }

    /// Shows a snapshot.
    public void apply(LiveSnapshot snapshot) {
        applyFigures(snapshot);
        applyCharts(snapshot, EnumSet.allOf(LiveChart.class));
    }

    /// Shows what is text: figures, runs and times.
    void applyFigures(LiveSnapshot snapshot) {
        runProgress.set(LiveFigures.runFraction(snapshot));
        applyTime(snapshot);
        step.set(snapshot.step());
        showRuns(snapshot.runs());
        kpis.set(Kpi.of(snapshot));
        trends.follow(snapshot.elapsedSeconds(), LiveFigures.measured(snapshot));
    }

    /// Shows some of the charts; strips with the last of them.
    void applyCharts(LiveSnapshot snapshot, Set<LiveChart> some) {
        List<LiveStrip> now = some.contains(LiveChart.MEMORY) ? LiveStrip.of(snapshot) : List.of();
        // Between runs those of the last run stay.
        if (!now.isEmpty()) {
            strips.set(now);
        }
        charts.forEach((chart, shown) -> {
            if (some.contains(chart)) {
                chart.of(snapshot).ifPresentOrElse(shown::set, () -> Optional.ofNullable(shown.get())
                        .map(last -> withStep(last, snapshot)).ifPresent(shown::set));
            }
        });
    }

    /// A chart whose run has no data yet keeps that of the run before and says what happens.
    private static ChartData withStep(ChartData last, LiveSnapshot snapshot) {
        return new ChartData(last.id(), last.title(), snapshot.step(), last.x(), last.y(), last.marks(), last.guides());
    }

    private void showRuns(List<LiveSnapshot.RunLine> now) {
        if (runs.size() != now.size()) {
            runs.setAll(now);
            return;
        }
        for (int i = 0; i < now.size(); i++) {
            if (!runs.get(i).equals(now.get(i))) {
                runs.set(i, now.get(i));
            }
        }
    }

    /// Updates only progress, time and the name of the run.
    void applyTime(LiveSnapshot snapshot) {
        time.set(LiveTime.of(snapshot));
    }

    /// The five KPIs in order, by their key in the message bundle.
    public ReadOnlyObjectProperty<Map<String, Kpi>> kpis() {
        return kpis.getReadOnlyProperty();
    }

    /// The KPIs over the last minute.
    LiveTrends trends() {
        return trends;
    }

    /// How far the experiment is.
    public ReadOnlyObjectProperty<LiveTime> time() {
        return time.getReadOnlyProperty();
    }

    /// Progress of the current run, 0 to 1.
    public ReadOnlyDoubleProperty runProgress() {
        return runProgress.getReadOnlyProperty();
    }

    /// A chart; null before the first data of the experiment.
    public ReadOnlyObjectProperty<@Nullable ChartData> chart(LiveChart which) {
        return Objects.requireNonNull(charts.get(which)).getReadOnlyProperty();
    }

    /// Device and load generator over the current run.
    ReadOnlyObjectProperty<List<LiveStrip>> strips() {
        return strips.getReadOnlyProperty();
    }

    /// A person's choice of how much is shown; it stays for later experiments.
    public void choose(LiveMode chosenMode) {
        chosen.set(Optional.of(chosenMode));
        mode.set(chosenMode);
    }

    /// Leaves the choice to the program again, from the next experiment on.
    public void chooseAutomatically() {
        chosen.set(Optional.empty());
    }

    /// Chooses the next mode.
    public void chooseNext() {
        choose(mode.get().next());
    }

    /// What a person chose, if anything.
    public ReadOnlyObjectProperty<Optional<LiveMode>> chosen() {
        return chosen.getReadOnlyProperty();
    }

    /// How much is shown.
    public ObjectProperty<LiveMode> mode() {
        return mode;
    }

    /// The step that runs while nothing is measured: "loading weights of tiny-int4".
    public ReadOnlyStringProperty step() {
        return step.getReadOnlyProperty();
    }

    /// The planned runs and their states.
    public ObservableList<LiveSnapshot.RunLine> runs() {
        return runs;
    }

    /// How far an experiment is.
    ///
    /// @param headline "Run 2 of 4 · tiny-fp8 · continuous · short"
    /// @param phase "warm-up"
    /// @param elapsed "00:12"
    /// @param remaining "about 00:09 left"; empty while unknown
    /// @param blackout "Measuring, 01:40 left"
    /// @param sampling period of sampling, and dropped samples
    /// @param progress over all runs, 0 to 1; negative when the number of runs is unknown
    public record LiveTime(String headline, String phase, String elapsed, String remaining, String blackout,
            String sampling, double progress) {
        /// Before the first snapshot.
        static final LiveTime START =
                new LiveTime(text("live.starting"), "", QuantityText.minutesSeconds(0), "", "", "", 0);

        static LiveTime of(LiveSnapshot snapshot) {
            double progress = LiveFigures.fractionDone(snapshot);
            OptionalDouble seconds = LiveFigures.remainingSeconds(snapshot.elapsedSeconds(), progress);
            String left = seconds.isPresent() ? QuantityText.minutesSeconds(seconds.getAsDouble()) : "";
            return new LiveTime(headlineOf(snapshot),
                    snapshot.current() < 0 ? "" : text("phase." + snapshot.phase().label()),
                    QuantityText.minutesSeconds(snapshot.elapsedSeconds()),
                    left.isEmpty() ? "" : text("live.eta", left),
                    left.isEmpty() ? text("live.blackout") : text("live.blackout-left", left),
                    text("live.sampling", snapshot.sampleEveryMillis(), snapshot.droppedSamples()), progress);
        }

        private static String headlineOf(LiveSnapshot snapshot) {
            if (!snapshot.building().isEmpty()) {
                return text("live.building", snapshot.building(), Math.round(snapshot.buildFraction() * 100));
            }
            if (snapshot.current() < 0 || snapshot.current() >= snapshot.runs().size()) {
                return text("live.starting");
            }
            LiveSnapshot.RunLine line = snapshot.runs().get(snapshot.current());
            // What all runs share stands above.
            String cell = line.name().isEmpty() ? line.label() : line.name();
            return snapshot.openEnded() ? text("live.headline-search", snapshot.current() + 1, cell)
                    : text("live.headline", snapshot.current() + 1, snapshot.runs().size(), cell);
        }
    }

    /// The value of a KPI.
    ///
    /// @param value formatted, or a dash
    /// @param note what it is based on: "n = 24"
    /// @param warmUp whether it is of the warm-up
    public record Kpi(String value, String unit, String note, boolean warmUp) {
        /// Before the first value.
        static final Kpi NONE = new Kpi("–", "", "", false);
        /// All KPIs before their first values.
        static final Map<String, Kpi> NONES = all(NONE, NONE, NONE, NONE, NONE);
        private static final int NOTE_CHARACTERS = 30;

        /// Before the first value of a run.
        static Kpi waiting(String note) {
            return new Kpi("–", "", note, false);
        }

        private static Map<String, Kpi> all(Kpi tokens, Kpi requests, Kpi ttft, Kpi itl, Kpi inSystem) {
            Map<String, Kpi> all = new LinkedHashMap<>();
            all.put("kpi.tokens", tokens);
            all.put("kpi.requests", requests);
            all.put("kpi.ttft", ttft);
            all.put("kpi.itl", itl);
            all.put("kpi.in-system", inSystem);
            return Collections.unmodifiableMap(all);
        }

        /// The KPIs of a snapshot in order, by their key in the message bundle.
        static Map<String, Kpi> of(LiveSnapshot snapshot) {
            String rates = beside(snapshot, run -> number(LiveFigures.meanRate(run)), " tok/s");
            String firstTokens = beside(snapshot, run -> median(run.frames().getLast().ttftBins()), "");
            String gaps = beside(snapshot, run -> median(run.frames().getLast().itlBins()), "");
            String perSecond =
                    beside(snapshot, run -> number(LiveFigures.requestsPerSecond(run.atItsEnd(snapshot))), " req/s");
            if (snapshot.newest().isEmpty()) {
                return all(waiting(rates), waiting(perSecond), waiting(firstTokens), waiting(gaps), NONE);
            }
            WorkerFrame.Live live = snapshot.newest().get();
            boolean warming = live.phase() == Phase.WARM_UP;
            boolean reported = live.waiting() >= 0;
            return all(
                    new Kpi(number(LiveFigures.outputTokensPerSecond(snapshot)), "tok/s",
                            note(warming, rates, text("kpi.last-second")), warming),
                    new Kpi(number(LiveFigures.requestsPerSecond(snapshot)), "req/s",
                            warming ? text("live.warm-up") : done(live), warming),
                    latency(live.ttftBins(), warming, firstTokens), latency(live.itlBins(), warming, gaps),
                    new Kpi(live.running() + " / " + (reported ? live.waiting() : "–"), "",
                            text(reported ? "kpi.in-system.note" : "kpi.in-flight.note"), warming));
        }

        private static String note(boolean warming, String comparison, String basis) {
            return warming ? text("live.warm-up") : comparison.isEmpty() ? basis : comparison;
        }

        /// The newest finished cells with their figure, as many as a tile has room for: "naive 431 · FP8 545 tok/s".
        ///
        /// @param unit of all figures; empty where they have their own
        private static String beside(LiveSnapshot snapshot, Function<RunOutline, String> figure, String unit) {
            String note = "";
            for (RunOutline run : snapshot.outlines().reversed()) {
                String own = run.against() + " " + figure.apply(run);
                String longer = note.isEmpty() ? own : own + " · " + note;
                if (longer.length() <= NOTE_CHARACTERS) {
                    note = longer;
                }
            }
            return note.isEmpty() ? "" : note + unit;
        }

        private static String done(WorkerFrame.Live live) {
            return live.phaseTotal() > 0 ? text("kpi.done", live.phaseDone(), live.phaseTotal())
                    : text("kpi.done-so-far", live.phaseDone());
        }

        private static Kpi latency(long[] bins, boolean warming, String comparison) {
            OptionalDouble median = LiveFigures.medianNanos(bins);
            if (median.isEmpty()) {
                return new Kpi("–", "", note(warming, comparison, ""), warming);
            }
            String[] words = QuantityText.latency(median.getAsDouble()).split(" ", 2);
            String n = text("kpi.n", Arrays.stream(bins).sum());
            return new Kpi("≈ " + words[0], words[1],
                    note(warming, comparison.length() + n.length() + 3 <= NOTE_CHARACTERS && !comparison.isEmpty()
                            ? n + " · " + comparison : comparison, n),
                    warming);
        }

        private static String median(long[] bins) {
            OptionalDouble median = LiveFigures.medianNanos(bins);
            return median.isPresent() ? QuantityText.latency(median.getAsDouble()) : "–";
        }

        private static String number(OptionalDouble value) {
            return value.isPresent() ? QuantityText.significant(value.getAsDouble()) : "–";
        }
    }

    /// The charts of the live area, in their order on the screen.
    public enum LiveChart {
        THROUGHPUT(LiveCharts::throughput), REQUESTS(LiveCharts::requests), TTFT(LiveLatencies::overTime),
        LATENCY(LiveLatencies::distribution), MEMORY(LiveCharts::memory);

        private final Function<LiveSnapshot, Optional<ChartData>> maker;

        LiveChart(Function<LiveSnapshot, Optional<ChartData>> maker) {
            this.maker = maker;
        }

        /// The chart of a snapshot; empty without data.
        Optional<ChartData> of(LiveSnapshot snapshot) {
            return maker.apply(snapshot);
        }

        /// Id of its tile: "live-throughput".
        String id() {
            return "live-" + name().toLowerCase(Locale.ROOT);
        }
    }
}
