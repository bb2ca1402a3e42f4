package org.inferometer.cli;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.inferometer.units.FileFault;

/// Runs `selfcheck` and commands that compute with engines in a second JVM with the vector module, as workers have it.
///
/// The JVM announces that module in the first line of standard error, and no option turns this off. Only this line is removed.
public final class VectorProcess {
    private static final String MODULE = "jdk.incubator.vector";
    private static final String ANNOUNCEMENT = "WARNING: Using incubator modules: " + MODULE;
    /// Options of the launcher for commands that do not compute.
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel", "-XX:+VerifySharedSpaces",
            "-XX:SharedArchiveFile", "-Xlog:cds", "-Xlog:aot");

    /// Commands of engines that compute.
    private static final Set<String> COMPUTING = Set.of("prompt", "quality");

    private VectorProcess() {}

    /// Whether the command needs the module and this JVM has none.
    public static boolean needed(String... arguments) {
        List<String> words = Arrays.asList(arguments);
        return (words.contains("selfcheck")
                || (words.contains("engines") && words.stream().anyMatch(COMPUTING::contains)))
                && ModuleLayer.boot().findModule(MODULE).isEmpty();
    }

    /// Runs the same command in the second JVM, which ends when this one is gone.
    ///
    /// @param main takes the number of this process before the command
    /// @param verdict the code with which it ends for a verdict; Java ends with 1 if it cannot start
    /// @return its exit code
    public static int run(Class<?> main, int verdict, Terminal terminal, String... arguments) {
        try {
            int code = runAndWait(main, terminal, arguments);
            if (code == verdict) {
                return ExitCodes.VERDICT_FAILED;
            }
            return code == ExitCodes.VERDICT_FAILED ? ExitCodes.RUN_FAILED : code;
        } catch (IOException e) {
            terminal.fault("A second Java process cannot be started: " + FileFault.describe(e) + ".");
            return ExitCodes.RUN_FAILED;
        }
    }

    private static int runAndWait(Class<?> main, Terminal terminal, String... arguments) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "--add-modules", MODULE));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> QUICK_START.stream().noneMatch(option::startsWith)).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(),
                Long.toString(ProcessHandle.current().pid())));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT);
        if (terminal.liveProgress()) {
            builder.environment().put(Terminal.ERR_IS_TERMINAL, "true");
        }
        Process process = builder.start();
        try (var ended = ShutdownHooks.ofProcess().onShutdown(process::destroy);
                InputStream from = process.getErrorStream()) {
            copy(from, new FileOutputStream(FileDescriptor.err));
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            return ExitCodes.RUN_FAILED;
        }
    }

    /// Copies everything except a first line that announces the module.
    static void copy(InputStream from, OutputStream to) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = 0;
        while (next != '\n' && line.size() <= 2 * ANNOUNCEMENT.length() && (next = from.read()) >= 0) {
            line.write(next);
        }
        if (!line.toString(StandardCharsets.UTF_8).strip().equals(ANNOUNCEMENT)) {
            line.writeTo(to);
        }
        from.transferTo(to);
    }
}
