package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.List;

/// Collects the faults of one file, so that a message lists them: the first 100. A reader stops there.
public final class YamlFaults {
    private static final int KEPT = 100;
    private static final int SHOWN = 20;

    private final List<Fault> faults = new ArrayList<>();

    /// One fault.
    ///
    /// @param line counted from 1
    /// @param sentence without the line, ending with a full stop
    public record Fault(int line, String sentence) {}

    /// Adds a fault, see [Fault].
    public void add(int line, String sentence) {
        if (!isFull()) {
            faults.add(new Fault(line, sentence));
        }
    }

    /// Whether no more faults are kept; to look for them then takes time for nothing.
    public boolean isFull() {
        return faults.size() == KEPT;
    }

    public boolean isEmpty() {
        return faults.isEmpty();
    }

    /// In the order in which they were found.
    public List<Fault> list() {
        List<Fault> listed = new ArrayList<>(faults);
        if (isFull()) {
            listed.add(new Fault(faults.getLast().line(), "Only the first " + KEPT + " faults are listed."));
        }
        return List.copyOf(listed);
    }

    /// The first 20 faults with their lines.
    public String text() {
        List<String> shown =
                faults.stream().limit(SHOWN).map(fault -> "line " + fault.line() + ": " + fault.sentence()).toList();
        return String.join(" ", shown)
                + (faults.size() > SHOWN ? " Only the first " + SHOWN + " faults are listed." : "");
    }
}
