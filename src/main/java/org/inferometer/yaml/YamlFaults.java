package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.List;

/// Collects the faults of one file, so that a message lists them: the first 100, and how many more there are.
public final class YamlFaults {
    private static final int KEPT = 100;
    private static final int SHOWN = 20;

    private final List<Fault> faults = new ArrayList<>();
    private int count;

    /// One fault.
    ///
    /// @param line counted from 1
    /// @param sentence without the line, ending with a full stop
    public record Fault(int line, String sentence) {}

    /// Adds a fault, see [Fault].
    public void add(int line, String sentence) {
        count++;
        if (count <= KEPT) {
            faults.add(new Fault(line, sentence));
        }
    }

    public boolean isEmpty() {
        return faults.isEmpty();
    }

    /// In the order in which they were found.
    public List<Fault> list() {
        List<Fault> listed = new ArrayList<>(faults);
        if (count > KEPT) {
            listed.add(new Fault(faults.getLast().line(), "And " + (count - KEPT) + " more faults."));
        }
        return List.copyOf(listed);
    }

    /// The first 20 faults with their lines, and how many more there are.
    public String text() {
        List<String> shown =
                faults.stream().limit(SHOWN).map(fault -> "line " + fault.line() + ": " + fault.sentence()).toList();
        return String.join(" ", shown) + (count > SHOWN ? " And " + (count - SHOWN) + " more." : "");
    }
}
