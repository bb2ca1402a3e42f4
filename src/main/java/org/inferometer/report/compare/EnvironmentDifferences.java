package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MachineDescription.Environment;
import org.inferometer.record.Unrecorded;
import org.jspecify.annotations.Nullable;

/// What differs between two machines, or on one at two times, besides the device.
final class EnvironmentDifferences {
    private static final double BUSY = 0.1;

    private EnvironmentDifferences() {}

    /// One sentence with all properties that differ, and one for a machine that others used; empty where nothing differs. A
    /// property that one side does not know is named; one that neither knows is not.
    static List<String> of(MachineDescription base, MachineDescription candidate) {
        Map<String, String> before = properties(base);
        Map<String, String> after = properties(candidate);
        List<String> differing =
                before.keySet().stream().filter(name -> !Objects.equals(before.get(name), after.get(name)))
                        .map(name -> name + " " + text(before.get(name)) + " → " + text(after.get(name))).toList();
        List<String> sentences = new ArrayList<>();
        if (!differing.isEmpty()) {
            sentences.add("Environment that differs: " + String.join("; ", differing) + ".");
        }
        busy("base", base).ifPresent(sentences::add);
        busy("candidate", candidate).ifPresent(sentences::add);
        return sentences;
    }

    /// Its properties by name; those that are not known say so.
    static Map<String, String> properties(MachineDescription machine) {
        Environment environment = machine.environment();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("operating system", known(machine.operatingSystem()));
        properties.put("Java", known(machine.javaRuntime()));
        properties.put("Java flags", environment == null ? Unrecorded.TEXT : environment.javaFlags().isEmpty() ? "none"
                : environment.javaFlags());
        properties.put("CPU governor", known(environment == null ? null : environment.governor()));
        properties.put("GPU driver", known(environment == null ? null : environment.gpuDriver()));
        properties.put("GPU clocks", known(environment == null ? null : environment.gpuClocks()));
        properties.put("Inferometer", known(machine.inferometerVersion()));
        return properties;
    }

    private static String known(@Nullable String text) {
        return text == null || text.isEmpty() ? Unrecorded.TEXT : text;
    }

    private static String text(@Nullable String property) {
        return property == null ? Unrecorded.TEXT : property;
    }

    private static Optional<String> busy(String side, MachineDescription machine) {
        Environment environment = machine.environment();
        Double load = environment == null ? null : environment.backgroundLoad();
        return load == null || load < BUSY ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "Other programs used %.0f %% of all cores before the first run of the %s.", load * 100, side));
    }
}
