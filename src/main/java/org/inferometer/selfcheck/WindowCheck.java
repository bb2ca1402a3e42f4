package org.inferometer.selfcheck;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A check of the desktop's window, run in a process of its own.
public enum WindowCheck {
    /// From the start of the process to a window that answers. Each repetition is a process.
    START("G1", "start of the window", 10, 0, 0),
    /// From the click on a result to its figures, charts and table.
    OPEN("G9", "opening a large result", 3, 0, 1_000_000),
    /// Work and answers of the JavaFX thread while the crosshair moves over the charts of a result. Each repetition is a move
    /// whose answer is awaited.
    PACING("G3", "frames of charts", 100, 20, 1_000_000),
    /// Opening a timeline, and zoom steps to 10 µs and back. Each repetition is such a way.
    TIMELINE("G12", "timeline", 3, 0, 200_000),
    /// What stays after results and views were opened and closed. Each repetition opens and closes all.
    LEAKS("G8", "leaks", 50, 0, 1_000),
    /// Memory of the idle window, of an open result, and its growth.
    MEMORY("G7", "memory", 2, 60, 1_000_000),
    /// Pictures, a report and data of a large result.
    EXPORT("G11", "exports", 3, 0, 1_000_000),
    /// Stopping an experiment. Each repetition is one.
    STOP("G13", "stop", 3, 0, 0),
    /// CPU time of the window, idle and in each live mode, for some seconds each.
    CPU("G5", "CPU time of the window", 1, 20, 0),
    /// Equal runs with and without a window in turns (ABBA). Each repetition is a pair.
    IMPACT("G4", "effect of the window on a measurement", 6, 0, 0);

    private final String goal;
    private final String title;
    private final WindowCheckOptions usual;

    WindowCheck(String goal, String title, int times, int seconds, int requests) {
        this.goal = goal;
        this.title = title;
        this.usual = new WindowCheckOptions(times, seconds, requests);
    }

    /// The check of a name; empty for an unknown one.
    public static Optional<WindowCheck> of(String id) {
        return Arrays.stream(values()).filter(check -> check.id().equals(id)).findFirst();
    }

    /// "start, open".
    public static String ids() {
        return Arrays.stream(values()).map(WindowCheck::id).collect(Collectors.joining(", "));
    }

    /// Name on the command line.
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Id of the goal: "G9".
    public String goal() {
        return goal;
    }

    /// What is measured.
    public String title() {
        return title;
    }

    /// Repetitions, seconds and requests where none are asked for.
    public WindowCheckOptions usual() {
        return usual;
    }
}
