package org.inferometer.measurement.verdict;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.finding.Advice;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.ThrottleReasons;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.wording.Voice;

/// The conditions of a verdict on the machine: its telemetry, the load generator's ceiling, other processes, heat.
record MachineConditions(RunObservations observations, RunCircumstances circumstances) {
    /// The share of its ceiling above which the load generator may limit the result.
    static final double CEILING_SHARE = 0.5;
    /// The share of telemetry samples that may be missing: readings are linear between samples.
    static final double DROPPED_SHARE = 0.05;
    private static final double QUIET_SHARE = 0.1;

    List<Condition> all(Optional<RunWindow> window) {
        return Stream.of(Stream.of(telemetry(window), ceiling(), otherProcess()), otherPrograms().stream(),
                Stream.of(throttling(window))).flatMap(conditions -> conditions).toList();
    }

    /// Only figures of memory, CPU and GPU rest on samples, and only those of a process that computes.
    private Condition telemetry(Optional<RunWindow> window) {
        String name = "at most 5 % of telemetry samples dropped";
        long dropped = circumstances.droppedSamples();
        long kept = observations.telemetry().stream()
                .filter(sample -> window.isEmpty() || window.get().contains(sample.nanos())).count();
        if (kept + dropped == 0) {
            return new Condition(Requirement.TELEMETRY, name, State.NOT_CHECKED, "no samples", "");
        }
        if (!observations.setup().computesHere()) {
            return new Condition(Requirement.TELEMETRY, name, State.NOT_CHECKED, "no figure rests on them", "");
        }
        return VerdictRules.condition(Requirement.TELEMETRY, name, dropped <= DROPPED_SHARE * (kept + dropped),
                State.BROKEN, dropped == 0 ? "none of " + kept : String.format(Locale.ROOT, "%d of %d (%.1f %%)",
                        dropped, kept + dropped, 100.0 * dropped / (kept + dropped)),
                "Sample less often or leave a core free.");
    }

    private Condition ceiling() {
        String name = "load generator below 50 % of its ceiling";
        if (circumstances.shareOfCeiling().isEmpty()) {
            return new Condition(Requirement.GENERATOR_CEILING, name, State.NOT_CHECKED, "ceiling not measured",
                    Voice.COMMAND_LINE.words(Advice.Action.SELF_CHECK));
        }
        double share = circumstances.shareOfCeiling().getAsDouble();
        return VerdictRules.condition(Requirement.GENERATOR_CEILING, name, share <= CEILING_SHARE, State.BROKEN,
                String.format(Locale.ROOT, "%.1f %%", share * 100),
                "The load generator may limit the result. Lower the load.");
    }

    private Condition otherProcess() {
        String name = "no other process on the GPU";
        Optional<Boolean> other = circumstances.otherGpuProcess();
        if (other.isEmpty()) {
            return new Condition(Requirement.GPU_ALONE, name, State.NOT_CHECKED, "no readings", "");
        }
        return VerdictRules.condition(Requirement.GPU_ALONE, name, !other.get(), State.BROKEN,
                other.get() ? "one or more" : "none", "End the other process and run again.");
    }

    /// A warning, as they may end when the run begins, and a server may be elsewhere.
    private Optional<Condition> otherPrograms() {
        return circumstances.otherPrograms().stream()
                .mapToObj(share -> VerdictRules.condition(Requirement.QUIET_MACHINE,
                        "other programs below 10 % of the cores before the run", share <= QUIET_SHARE, State.WARNING,
                        String.format(Locale.ROOT, "%.0f %%", share * 100),
                        "End them, and measure again when the machine is free."))
                .findFirst();
    }

    private Condition throttling(Optional<RunWindow> window) {
        String name = "no thermal throttling";
        List<Double> reasons = observations.telemetry().stream()
                .filter(sample -> window.isPresent() && window.get().contains(sample.nanos()))
                .flatMap(sample -> sample.gpuReadings().stream()).map(TelemetrySample.GpuSample::throttleReasons)
                .filter(Double::isFinite).toList();
        if (reasons.isEmpty()) {
            return new Condition(Requirement.NO_THROTTLING, name, State.NOT_CHECKED, "no readings", "");
        }
        long hot = reasons.stream().filter(ThrottleReasons::thermal).count();
        return VerdictRules.condition(Requirement.NO_THROTTLING, name, hot == 0, State.BROKEN,
                hot + " of " + reasons.size() + " samples throttled",
                "Improve cooling or lower the power limit, then run again.");
    }
}
