package org.inferometer.ui.goals;

/// A check of the desktop's window against its goals.
public enum WindowCheck {
    /// From the start of the process to a window that answers: once a process.
    START(1, 0, 0),
    /// From the click on a result to its figures, charts and table.
    OPEN(3, 0, 1_000_000),
    /// Work and answers of the JavaFX thread while the crosshair moves over the charts of a result. Each repetition is a move
    /// whose answer is awaited.
    PACING(100, 20, 1_000_000),
    /// Opening a timeline, and zoom steps to 10 µs and back. Each repetition is such a way.
    TIMELINE(3, 0, 200_000),
    /// What stays after results and views were opened and closed. Each repetition opens and closes all.
    LEAKS(50, 0, 1_000),
    /// Memory of the idle window, of an open result, and its growth.
    MEMORY(2, 60, 1_000_000),
    /// Pictures, a report and data of a large result.
    EXPORT(3, 0, 1_000_000),
    /// Stopping an experiment. Each repetition is one.
    STOP(3, 0, 0),
    /// CPU time of the window, idle and in each live mode, for some seconds each.
    CPU(1, 20, 0);

    private final Length usual;

    WindowCheck(int times, int seconds, int requests) {
        this.usual = new Length(times, seconds, requests);
    }

    /// The length of a check.
    ///
    /// @param times repetitions
    /// @param seconds duration of a measurement
    /// @param requests of the generated result
    public record Length(int times, int seconds, int requests) {}

    /// Where none is asked for.
    public Length usual() {
        return usual;
    }
}
