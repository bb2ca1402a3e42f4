package org.inferometer.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// A GPU as labelled text for desktop and command line. Facts that the driver does not report are left out. Pure.
public final class GpuFacts {
    private static final int NAMED_PROCESSES = 8;
    private static final String NONE = "none visible";
    private static final String NOT_TOLD = "not reported";

    private GpuFacts() {}

    /// A label and its text.
    public record Fact(String name, String value) {}

    /// Model, limits and settings.
    public static List<Fact> settings(GpuDescription gpu) {
        GpuSettings settings = gpu.settings();
        List<Fact> facts = new ArrayList<>();
        add(facts, "Memory", gpu.memory().map(QuantityText::bytes));
        add(facts, "Compute capability", gpu.capability());
        add(facts, "Power limit",
                gpu.powerLimit().map(watts -> number(watts) + " W"
                        + (settings.defaultPowerLimitWatts() == null || settings.defaultPowerLimitWatts().equals(watts)
                                ? "" : ", usually " + number(settings.defaultPowerLimitWatts()) + " W")));
        add(facts, "Highest clocks", joined(megahertz("SM ", settings.mostSmClockMegahertz()),
                megahertz("memory ", settings.mostMemoryClockMegahertz())));
        add(facts, "Link",
                Optional.ofNullable(settings.pcie())
                        .map(link -> link.label() + (settings.pcieMost() == null || settings.pcieMost().equals(link)
                                ? "" : " now, at most " + settings.pcieMost().label())));
        add(facts, "Bus", Optional.ofNullable(settings.busId()));
        add(facts, "Modes", joined(mode("ECC", settings.ecc()), mode("MIG", settings.mig()),
                mode("persistence", settings.persistence()), mode("display", settings.display())));
        return List.copyOf(facts);
    }

    /// Current readings.
    public static List<Fact> readings(GpuDescription gpu, GpuStatus now) {
        List<Fact> facts = new ArrayList<>();
        add(facts, "Memory in use", Optional.ofNullable(now.usedBytes()).map(used -> QuantityText.bytes(used)
                + gpu.memory().map(total -> " of " + QuantityText.bytes(total)).orElse("")));
        add(facts, "Busy",
                joined(percent("", now.utilisationPercent()), percent("memory ", now.memoryUtilisationPercent())));
        add(facts, "Power", Optional.ofNullable(now.powerWatts()).map(watts -> String.format(Locale.ROOT, "%.0f", watts)
                + gpu.powerLimit().map(limit -> " of " + number(limit)).orElse("") + " W"));
        add(facts, "Temperature",
                Optional.ofNullable(now.temperatureCelsius()).map(celsius -> number(celsius) + " °C"));
        add(facts, "Clocks",
                joined(megahertz("SM ", now.smClockMegahertz()), megahertz("memory ", now.memoryClockMegahertz())));
        add(facts, "Throttled by", Optional.ofNullable(now.slowedBy()).map(words -> words.isEmpty()
                ? Boolean.TRUE.equals(now.idle()) ? "nothing (idle)" : "nothing" : String.join(", ", words)));
        add(facts, "Processes", Optional.ofNullable(now.processes()).map(GpuFacts::named));
        return List.copyOf(facts);
    }

    /// Compute processes, one fact each, at most eight; a single fact if there are none or the driver reports none.
    public static List<Fact> processes(@Nullable GpuStatus now) {
        List<GpuProcess> processes = now == null ? null : now.processes();
        if (processes == null || processes.isEmpty()) {
            return List.of(new Fact("Processes", processes == null ? NOT_TOLD : NONE));
        }
        List<Fact> facts = new ArrayList<>();
        processes.stream().limit(NAMED_PROCESSES).forEach(process -> facts.add(new Fact("pid " + process.pid(),
                process.used().map(QuantityText::bytes).orElse("memory " + NOT_TOLD))));
        if (processes.size() > NAMED_PROCESSES) {
            facts.add(new Fact("and", processes.size() - NAMED_PROCESSES + " more"));
        }
        return List.copyOf(facts);
    }

    /// "pid 4711 with 300 MiB"; without the memory if the driver does not report it.
    static String process(GpuProcess process) {
        return "pid " + process.pid() + process.used().map(bytes -> " with " + QuantityText.bytes(bytes)).orElse("");
    }

    private static String named(List<GpuProcess> processes) {
        String named =
                processes.stream().limit(NAMED_PROCESSES).map(GpuFacts::process).collect(Collectors.joining(", "));
        int more = processes.size() - NAMED_PROCESSES;
        return processes.isEmpty() ? NONE : more > 0 ? named + " and " + more + " more" : named;
    }

    private static void add(List<Fact> facts, String name, Optional<String> words) {
        words.filter(known -> !known.isEmpty()).ifPresent(known -> facts.add(new Fact(name, known)));
    }

    @SafeVarargs
    private static Optional<String> joined(Optional<String>... parts) {
        return Optional.of(java.util.Arrays.stream(parts).flatMap(Optional::stream).collect(Collectors.joining(", ")));
    }

    private static Optional<String> megahertz(String of, @Nullable Double value) {
        return Optional.ofNullable(value).map(known -> of + number(known) + " MHz");
    }

    private static Optional<String> percent(String of, @Nullable Double value) {
        return Optional.ofNullable(value).map(known -> of + number(known) + " %");
    }

    private static Optional<String> mode(String name, @Nullable Boolean on) {
        return Optional.ofNullable(on).map(known -> name + (known ? " on" : " off"));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }
}
