package org.inferometer.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;

/// The standard streams of a command and what they can display.
///
/// @param out results only
/// @param err progress and errors
/// @param liveProgress whether a line on `err` can be overwritten
/// @param colours whether `out` and `err` may contain colours
/// @param columns longest line of a result
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean liveProgress, boolean colours,
        int columns) {
    /// The longest line of results, unless `COLUMNS` is smaller.
    public static final int USUAL_COLUMNS = 110;

    /// Environment variable of a child process whose standard error its parent passes on to a terminal.
    public static final String ERR_IS_TERMINAL = "INFEROMETER_STDERR_IS_TERMINAL";

    private static final int LEAST_COLUMNS = 60;
    private static final int MOST_FAULT_CHARACTERS = 500;

    /// The streams of this process. The caller does not close them.
    ///
    /// @param environment `NO_COLOR`, `TERM` and `COLUMNS` are respected
    public static Terminal ofProcess(EnvironmentVariables environment) {
        // Pipes and files get UTF-8 in every locale: JSON requires it, and tables contain signs such as "·".
        Charset charset =
                System.getProperty("os.name", "").startsWith("Windows") ? System.out.charset() : StandardCharsets.UTF_8;
        boolean errIsTerminal = isTerminal(2) || environment.value(ERR_IS_TERMINAL).isPresent();
        boolean dumb = environment.value("TERM").filter("dumb"::equals).isPresent();
        boolean plain = environment.value("NO_COLOR").isPresent() || dumb;
        return new Terminal(System.in, new PlainTextStream(FileDescriptor.out, charset, isTerminal(1)),
                new PlainTextStream(FileDescriptor.err, charset, errIsTerminal), errIsTerminal && !dumb,
                !plain && errIsTerminal && isTerminal(1), columns(environment.value("COLUMNS").orElse(null)));
    }

    /// Prints a result and flushes it.
    public void print(String text) {
        out.print(text);
        out.flush();
    }

    /// Prints "error: ..." to standard error, the word in red where colours are shown; at most 500 characters on one line.
    public void fault(String sentence) {
        err.println(
                (colours ? "\u001b[1;31merror:\u001b[0m " : "error: ") + OneLine.of(sentence, MOST_FAULT_CHARACTERS));
    }

    /// Asks on standard error; "y" and "yes" approve.
    ///
    /// @return empty if nobody can be asked: input or standard error is no terminal
    public Optional<Boolean> ask(String question) throws IOException {
        if (!liveProgress || (in.equals(System.in) && !isTerminal(0))) {
            return Optional.empty();
        }
        err.print(question + " [y/N] ");
        err.flush();
        StringBuilder answer = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n' && answer.length() < 10; next = in.read()) {
            answer.append((char) next);
        }
        return Optional.of(List.of("y", "yes").contains(LetterCase.lower(answer.toString().strip())));
    }

    /// The text in bold where colours are shown.
    String bold(String text) {
        return colours ? "\u001b[1m" + text + "\u001b[0m" : text;
    }

    /// Why results could not be written; empty if all were.
    public Optional<String> outFailure() {
        if (!out.checkError()) {
            return Optional.empty();
        }
        return Optional.of(out instanceof PlainTextStream stream ? stream.reason() : "unknown cause");
    }

    /// A standard stream that filters unsafe characters.
    private static final class PlainTextStream extends PrintStream {
        private final PlainTextOutput filter;

        PlainTextStream(FileDescriptor descriptor, Charset charset, boolean terminal) {
            this(new PlainTextOutput(new BufferedOutputStream(new FileOutputStream(descriptor)), terminal), descriptor,
                    charset);
        }

        private PlainTextStream(PlainTextOutput filter, FileDescriptor descriptor, Charset charset) {
            // Only UTF-8 can be filtered byte by byte; consoles of Windows have other character sets.
            super(charset.equals(StandardCharsets.UTF_8) ? filter : new FileOutputStream(descriptor), true, charset);
            this.filter = filter;
        }

        String reason() {
            return filter.failure().map(FileFault::describe).orElse("unknown cause");
        }
    }

    public static int columns(@org.jspecify.annotations.Nullable String given) {
        if (given == null || !given.matches("\\d{1,4}")) {
            return USUAL_COLUMNS;
        }
        return Math.clamp(Integer.parseInt(given), LEAST_COLUMNS, USUAL_COLUMNS);
    }

    /// Java reports this for all streams together only; Linux reports it per stream in /proc.
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd", Integer.toString(descriptor));
        try {
            if (Files.isSymbolicLink(link)) {
                String target = Files.readSymbolicLink(link).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            }
        } catch (IOException unreadable) {
            return false;
        }
        var console = System.console();
        return console != null && console.isTerminal();
    }
}
