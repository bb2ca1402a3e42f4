package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;

/// Memory, utilisation and energy from the samples taken inside the window.
///
/// Readings are taken as linear between samples. A mean or a difference needs two samples, a peak one.
final class TelemetryFigures {
    private final List<TelemetrySample> samples;
    private final RunObservations observations;
    private final List<RequestOutcome> measured;

    private TelemetryFigures(RunObservations observations, List<RequestOutcome> measured, RunWindow window) {
        this.samples = observations.telemetry().stream().filter(sample -> window.contains(sample.nanos())).toList();
        this.observations = observations;
        this.measured = measured;
    }

    /// Utilisation and energy.
    ///
    /// @param rates window of the rates
    static List<Figure> ofRates(RunObservations observations, List<RequestOutcome> measured, RunWindow rates) {
        TelemetryFigures source = new TelemetryFigures(observations, measured, rates);
        return source.samples.isEmpty() ? List.of()
                : Stream.of(source.utilisation(), source.energy(), source.power()).flatMap(Optional::stream).toList();
    }

    /// Memory.
    ///
    /// @param window of the run
    static List<Figure> ofMemory(RunObservations observations, List<RequestOutcome> measured, RunWindow window) {
        TelemetryFigures source = new TelemetryFigures(observations, measured, window);
        return source.samples.isEmpty() ? List.of() : source.memory();
    }

    private List<Figure> memory() {
        List<Figure> figures = new ArrayList<>();
        figures.addAll(memory(Metrics.MEMORY_TOTAL, TelemetrySample::totalBytes));
        for (MemoryOwner owner : MemoryOwner.values()) {
            if (samples.stream().allMatch(sample -> separates(sample, owner))) {
                figures.addAll(memory(Metrics.memory(owner), sample -> sample.ownerBytes()[owner.ordinal()]));
            }
        }
        model().ifPresent(figures::add);
        return figures;
    }

    /// Absent where no engine is measured.
    private Optional<Figure> model() {
        double peak = samples.stream().mapToDouble(sample -> (double) sample.ownerBytes()[MemoryOwner.WEIGHTS.ordinal()]
                + sample.ownerBytes()[MemoryOwner.KV_CACHE.ordinal()]).max().orElse(0);
        return peak > 0 ? Optional.of(new Figure(Metrics.MODEL_MEMORY_PEAK, peak, samples.size(), true))
                : Optional.empty();
    }

    /// Records of earlier versions do not separate the Java runtime.
    private static boolean separates(TelemetrySample sample, MemoryOwner owner) {
        return owner != MemoryOwner.JAVA_RUNTIME || sample.ownerBytes()[owner.ordinal()] >= 0;
    }

    private List<Figure> memory(MemoryMetrics metrics, ToDoubleFunction<TelemetrySample> bytes) {
        DoubleSummaryStatistics range = samples.stream().mapToDouble(bytes).summaryStatistics();
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(metrics.peak(), range.getMax(), samples.size(), true));
        timeWeighted(bytes).ifPresent(value -> figures.add(new Figure(metrics.mean(), value, samples.size(), true)));
        if (samples.size() > 1) {
            figures.add(new Figure(metrics.least(), range.getMin(), samples.size(), true));
            figures.add(new Figure(metrics.growth(), range.getMax() - range.getMin(), samples.size(), true));
        }
        return figures;
    }

    private Optional<Figure> utilisation() {
        Optional<Double> value =
                gpuComputes() ? timeWeighted(sample -> gpu(sample, TelemetrySample.GpuSample::utilisationPercent))
                        .map(percent -> percent / 100) : processCpuShare();
        return value.map(share -> new Figure(Metrics.DEVICE_UTILISATION, share, samples.size(), true));
    }

    /// A GPU beside lanes of CPU threads does not compute; beside a server it may be the server's.
    private boolean gpuComputes() {
        return observations.setup().laneThreads().isEmpty()
                && samples.stream().anyMatch(sample -> sample.gpuReadings().isPresent());
    }

    /// Energy and tokens of the same stretch: from the first sample inside the window to the last.
    private Optional<Figure> energy() {
        RunWindow sampled = new RunWindow(samples.getFirst().nanos(), samples.getLast().nanos());
        long tokens = RequestFigures.outputTokens(measured, sampled);
        double joules = growth(sample -> gpu(sample, TelemetrySample.GpuSample::energyJoules));
        return gpuComputes() && Double.isFinite(joules) && tokens > 0
                ? Optional.of(new Figure(Metrics.ENERGY_PER_TOKEN, joules / tokens, tokens, true)) : Optional.empty();
    }

    private Optional<Figure> power() {
        return timeWeighted(sample -> gpu(sample, TelemetrySample.GpuSample::powerWatts)).filter(watts -> gpuComputes())
                .map(watts -> new Figure(Metrics.GPU_POWER, watts, samples.size(), true));
    }

    private double growth(ToDoubleFunction<TelemetrySample> counter) {
        return counter.applyAsDouble(samples.getLast()) - counter.applyAsDouble(samples.getFirst());
    }

    /// Absent where no lane is known to be a group of threads: a process that drives a GPU computes little itself.
    private Optional<Double> processCpuShare() {
        if (observations.setup().laneThreads().isEmpty()) {
            return Optional.empty();
        }
        double available =
                (double) (samples.getLast().nanos() - samples.getFirst().nanos()) * observations.setup().cores();
        return available > 0 ? Optional.of(growth(TelemetrySample::processCpuNanos) / available) : Optional.empty();
    }

    /// The trapezoid rule over the samples; absent when any reading is.
    private Optional<Double> timeWeighted(ToDoubleFunction<TelemetrySample> reading) {
        double area = 0;
        for (int i = 1; i < samples.size(); i++) {
            TelemetrySample before = samples.get(i - 1);
            TelemetrySample after = samples.get(i);
            area += (reading.applyAsDouble(before) + reading.applyAsDouble(after)) / 2
                    * (after.nanos() - before.nanos());
        }
        double mean = area / (samples.getLast().nanos() - samples.getFirst().nanos());
        return samples.size() > 1 && Double.isFinite(mean) ? Optional.of(mean) : Optional.empty();
    }

    private static double gpu(TelemetrySample sample, ToDoubleFunction<TelemetrySample.GpuSample> reading) {
        return sample.gpuReadings().map(readings -> reading.applyAsDouble(readings)).orElse(Double.NaN);
    }
}
