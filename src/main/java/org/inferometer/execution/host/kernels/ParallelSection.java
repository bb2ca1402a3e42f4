package org.inferometer.execution.host.kernels;

/// Work of a step that falls into independent items; the threads of a [WorkerGroup] divide them.
///
/// Implementations are made once and re-aimed by fields that the lane's thread sets before it runs them.
@FunctionalInterface
public interface ParallelSection {
    /// Computes one item.
    ///
    /// @param worker which thread calls, to find its own scratch memory
    void run(int worker, int item);
}
