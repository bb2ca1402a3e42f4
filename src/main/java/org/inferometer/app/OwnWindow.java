package org.inferometer.app;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.run.LocalRunHost;
import org.inferometer.selfcheck.WindowCheck;
import org.inferometer.selfcheck.WindowCheckOptions;
import org.inferometer.selfcheck.WindowChecks;

/// Starts this program again, with the same Java options, to measure its window.
///
/// @param hasDisplay whether there is a display
record OwnWindow(boolean hasDisplay) implements WindowChecks.WindowProgram {
    @Override
    public List<String> command(Path workspace, WindowCheck check, WindowCheckOptions options) {
        List<String> command = new ArrayList<>(List.of(LocalRunHost.javaProgram()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (!hasDisplay) {
            command.addAll(List.of("-Dglass.platform=Headless", "-Dprism.order=sw"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "--workspace",
                workspace.toString(), "window-check", check.id(), "--times", Integer.toString(options.times()),
                "--seconds", Integer.toString(options.seconds()), "--requests", Integer.toString(options.requests())));
        return command;
    }

    @Override
    public String display() {
        return hasDisplay ? "A window on the display."
                : "No display: a headless window, which copies each frame on the JavaFX thread, so frames and stalls are"
                        + " longer than on a display. Xvfb is a display without a screen (xvfb-run).";
    }
}
