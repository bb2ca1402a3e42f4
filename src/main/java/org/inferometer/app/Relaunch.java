package org.inferometer.app;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.run.LocalRunHost;

/// The command that starts this program again.
final class Relaunch {
    private Relaunch() {}

    /// With the same Java options, from any folder.
    static List<String> words() {
        List<String> words = new ArrayList<>(List.of(LocalRunHost.javaProgram()));
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(List.of("-cp",
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)),
                Main.class.getName()));
        return words;
    }
}
