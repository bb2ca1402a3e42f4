package org.inferometer.ui.suites;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.inferometer.units.Clock;

/// What suites are run with.
///
/// @param places where tests can run
/// @param engines names of engines of this machine, built ones first; called in the background
/// @param sessions folder of sessions
/// @param results folder of records
public record SuiteServices(SuitePlaces places, Supplier<List<String>> engines, Path sessions, Path results,
        Clock clock) {}
