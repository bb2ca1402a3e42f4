package org.inferometer.app;

import org.inferometer.benchmark.Workspace;
import org.inferometer.cli.CliWiring;

/// Puts the desktop together, where there is a display.
final class DesktopWiring {
    private DesktopWiring() {}

    static int open(Workspace workspace, CliWiring wiring) {
        throw new IllegalStateException(workspace + " " + wiring);
    }
}
