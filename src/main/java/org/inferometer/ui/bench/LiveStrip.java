package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.experiment.Subject;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// A quantity of the device or of the load generator over the current run. What no frame has, has no strip.
///
/// @param id "gpu-power"
/// @param latest the newest value, without its unit
/// @param top the value at the upper edge with its unit; the lower edge is 0
/// @param seconds since measuring began
/// @param values NaN for a gap
record LiveStrip(String id, String name, String latest, String top, double greatest, double[] seconds,
        double[] values) {
    private static final long WINDOW_NANOS = 1_000_000_000L;
    private static final double PERCENT = 100;

    /// The strips of a snapshot, device first, all over the same time.
    static List<LiveStrip> of(LiveSnapshot snapshot) {
        List<WorkerFrame.Live> frames = snapshot.frames();
        List<LiveStrip> strips = new ArrayList<>();
        gpu(snapshot, "gpu-use", "%", PERCENT, WorkerFrame.Gpu::utilisationPercent).ifPresent(strips::add);
        gpu(snapshot, "gpu-memory", "%", PERCENT, WorkerFrame.Gpu::memoryUtilisationPercent).ifPresent(strips::add);
        gpu(snapshot, "gpu-power", "W", 0, WorkerFrame.Gpu::powerWatts).ifPresent(strips::add);
        gpu(snapshot, "gpu-clock", "MHz", 0, WorkerFrame.Gpu::smClockMegahertz).ifPresent(strips::add);
        boolean client =
                snapshot.currentRun().filter(run -> run.cell().subject() instanceof Subject.TargetSubject).isPresent();
        strip(snapshot, client ? "client-cpu" : "cpu", text("strip.cores"), 0, cores(frames)).ifPresent(strips::add);
        strip(snapshot, "late", "ms", 0, frames.stream()
                .mapToDouble(frame -> frame.lateNanos() < 0 ? Double.NaN : frame.lateNanos() / 1e6).toArray())
                .ifPresent(strips::add);
        return strips;
    }

    private static Optional<LiveStrip> gpu(LiveSnapshot snapshot, String id, String unit, double capacity,
            Function<WorkerFrame.Gpu, @Nullable Double> reading) {
        return strip(snapshot, id, unit, capacity, snapshot.frames().stream().mapToDouble(frame -> {
            WorkerFrame.Gpu gpu = frame.gpu();
            Double value = gpu == null ? null : reading.apply(gpu);
            return value == null ? Double.NaN : value;
        }).toArray());
    }

    /// CPU time per second over the last second at each frame: it is sampled as often as frames are sent, not at the same time.
    private static double[] cores(List<WorkerFrame.Live> frames) {
        double[] cores = new double[frames.size()];
        int from = 0;
        for (int i = 0; i < cores.length; i++) {
            WorkerFrame.Live now = frames.get(i);
            while (from + 1 < i && now.nanos() - frames.get(from + 1).nanos() >= WINDOW_NANOS) {
                from++;
            }
            WorkerFrame.Live before = frames.get(from);
            boolean known = before.processCpuNanos() > 0 && now.nanos() - before.nanos() >= WINDOW_NANOS;
            cores[i] =
                    known ? (double) (now.processCpuNanos() - before.processCpuNanos()) / (now.nanos() - before.nanos())
                            : Double.NaN;
        }
        return cores;
    }

    private static Optional<LiveStrip> strip(LiveSnapshot snapshot, String id, String unit, double capacity,
            double[] values) {
        double greatest = capacity;
        double latest = Double.NaN;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                greatest = Math.max(greatest, value);
                latest = value;
            }
        }
        if (Double.isNaN(latest)) {
            return Optional.empty();
        }
        double[] seconds =
                snapshot.frames().stream().mapToDouble(frame -> (frame.nanos() - snapshot.zeroNanos()) / 1e9).toArray();
        return Optional.of(new LiveStrip(id, text("strip." + id), QuantityText.significant(latest),
                QuantityText.significant(greatest) + " " + unit, greatest, seconds, values));
    }
}
