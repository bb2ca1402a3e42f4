package org.inferometer.cli;

import java.nio.file.Path;
import java.util.Optional;

/// How the desktop is started.
///
/// @param file a bundle or the folder of a result to show
/// @param resetUi whether the settings of the desktop are forgotten first
/// @param newWindow whether a window opens even if the workspace has one
public record DesktopStart(Optional<Path> file, boolean resetUi, boolean newWindow) {}
