package org.inferometer.target;

/// Hears what a target tells beside its answers. Calls may come from any thread; implementations return at once.
public interface TargetListener {
    /// A reading of one of the target's own gauges.
    ///
    /// @param name as the target names it: "vllm:num_requests_running"
    void gauge(long nanos, String name, double value);

    /// The greatest memory of one of the target's processes.
    ///
    /// @param ofHost true for host memory; false for GPU memory, or memory that both share
    void memoryPeak(long nanos, boolean ofHost, double bytes);

    /// Something that people should know, in one sentence.
    void said(long nanos, String sentence);
}
