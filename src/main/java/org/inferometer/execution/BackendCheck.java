package org.inferometer.execution;

import java.util.List;
import java.util.function.Consumer;

/// A check that a backend offers to `selfcheck`: of this backend on this machine, without an engine.
///
/// @param id with which the ids of its figures begin: "host_agreement"
/// @param name for people, shown if the check could not run
/// @param unit of its figures
public record BackendCheck(String id, String name, String unit, Measurement measurement) {
    /// Measures on the calling thread.
    @FunctionalInterface
    public interface Measurement {
        /// @param progress receives the name of each part as it begins
        /// @throws ExecutorException if the check could not run, with the reason
        List<BackendFigure> run(Consumer<String> progress) throws ExecutorException, InterruptedException;
    }
}
