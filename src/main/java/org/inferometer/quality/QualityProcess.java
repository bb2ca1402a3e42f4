package org.inferometer.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.inferometer.prompting.ProgramMessages;
import org.inferometer.units.FileFault;

/// Judges an engine in a process of its own (`engines quality`), so that weights are never in this one.
///
/// @param program words that start this program
public record QualityProcess(List<String> program, Path workspace) {
    private static final long LOOK_MILLIS = 200;

    public QualityProcess {
        program = List.copyOf(program);
    }

    /// Judges an engine; its figures are then in its folder. An interrupt ends the process.
    ///
    /// @param text file in UTF-8
    /// @param mostTokens of the text
    /// @param progress receives the fraction done, on the calling thread
    /// @throws IOException in one sentence if the engine could not be judged
    public void judge(String engine, String reference, Path text, int mostTokens, DoubleConsumer progress)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--workspace", workspace.toString(), "engines", "quality", engine, "--reference",
                reference, "--text", text.toString(), "--tokens", String.valueOf(mostTokens), "--progress-lines"));
        ProgramMessages messages = ProgramMessages.of("quality");
        try {
            Process process = started(command, messages);
            try {
                while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    String said = messages.last();
                    if (said.matches("\\d{1,3} %")) {
                        progress.accept(Integer.parseInt(said.substring(0, said.length() - 2)) / 100.0);
                    }
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
            if (process.exitValue() != 0) {
                String last = messages.last();
                throw new IOException(last.isEmpty() || last.endsWith(" %")
                        ? "The quality was not measured: exit code " + process.exitValue() + "." : last);
            }
        } finally {
            messages.delete();
        }
    }

    private static Process started(List<String> command, ProgramMessages messages) throws IOException {
        try {
            return new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(messages.file().toFile()).start();
        } catch (IOException e) {
            throw new IOException("The measurement of quality cannot be started: " + FileFault.reason(e) + ".", e);
        }
    }
}
