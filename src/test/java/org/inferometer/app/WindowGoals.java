package org.inferometer.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.plugin.Plugins;
import org.inferometer.run.Workspace;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.goals.GeneratedExperiment;
import org.inferometer.ui.goals.WindowCheck;
import org.inferometer.ui.goals.WindowMeasurement;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;

/// Measures the window of the program against one of its goals, over generated results in a temporary folder:
/// `WindowGoals CHECK [TIMES [SECONDS [REQUESTS]]]`. Checks are those of [WindowCheck] in lower case: `open`. Prints a line for each
/// figure.
///
/// It opens a window on the display, or a headless one with `-Dglass.platform=Headless -Dprism.order=sw`. The headless platform copies
/// every frame on the JavaFX thread, so its stalls are longer.
public final class WindowGoals {
    private static final int STEPS_PER_REQUEST = 5;

    private WindowGoals() {}

    /// Ends the process.
    public static void main(String[] arguments) throws Exception {
        WindowCheck check = WindowCheck.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        WindowCheck.Length length = new WindowCheck.Length(number(arguments, 1, check.usual().times()),
                number(arguments, 2, check.usual().seconds()), number(arguments, 3, check.usual().requests()));
        Path folder = Files.createTempDirectory("inferometer-window");
        try {
            EnvironmentVariables environment = EnvironmentVariables.ofProcess();
            Program program =
                    new Program(Workspace.locate(Optional.of(folder), environment), environment, Plugins.NONE);
            if (length.requests() > 0) {
                new GeneratedExperiment(program.store(), program.machine(), program.clock()).write(
                        program.workspace().results(), length.requests(),
                        check == WindowCheck.TIMELINE ? STEPS_PER_REQUEST * length.requests() : 0);
            }
            WindowMeasurement.run(DesktopWiring.services(program, new Settings(folder.resolve("ui.properties"))), check,
                    length, figure -> System.out.println(figure.line()));
        } finally {
            FolderTree.delete(folder);
        }
        System.exit(0);
    }

    private static int number(String[] arguments, int place, int usual) {
        return arguments.length > place ? Integer.parseInt(arguments[place]) : usual;
    }
}
