package org.inferometer.ui.engines;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.inferometer.engine.build.EngineEntry;

/// The engines of the program and the workspace.
///
/// @param engines lists them; called in the background
/// @param folder engines of the workspace; may not exist yet
public record EngineSource(Supplier<List<EngineEntry>> engines, Path folder) {}
