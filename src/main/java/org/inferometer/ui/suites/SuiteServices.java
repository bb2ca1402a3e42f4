package org.inferometer.ui.suites;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.inferometer.run.BenchmarkService;
import org.inferometer.units.Clock;

/// What suites are run with.
///
/// @param benchmarks runs the experiments, one at a time
/// @param engines names of engines, built ones first; called in the background
/// @param sessions folder of sessions
/// @param results folder of records
public record SuiteServices(BenchmarkService benchmarks, Supplier<List<String>> engines, Path sessions, Path results,
        Clock clock) {}
