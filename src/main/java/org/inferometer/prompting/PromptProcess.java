package org.inferometer.prompting;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.units.FileFault;

/// Lets an engine answer in a process of its own (`engines prompt`), so that its weights are never in this one.
///
/// @param program words that start this program
public record PromptProcess(List<String> program, Path workspace) {
    public PromptProcess {
        program = List.copyOf(program);
    }

    /// A running answer. One thread follows it; any thread may stop it.
    public static final class Running {
        private final Process process;
        private final ProgramMessages messages;
        private volatile boolean stopped;

        private Running(Process process, ProgramMessages messages) {
            this.process = process;
            this.messages = messages;
        }

        /// Reads the answer to its end.
        ///
        /// @param text receives it as it comes, on the calling thread
        /// @return how it ended, in one sentence; empty if it was stopped
        /// @throws IOException in one sentence if the engine cannot answer
        public String follow(Consumer<String> text) throws IOException, InterruptedException {
            try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
                char[] buffer = new char[1 << 10];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    text.accept(new String(buffer, 0, read));
                }
            } catch (IOException e) {
                if (!stopped) {
                    throw e;
                }
            }
            int exit = process.waitFor();
            String last = messages.last();
            messages.delete();
            if (stopped) {
                return "";
            }
            if (exit != 0) {
                throw new IOException(last.isEmpty() ? "The engine did not answer: exit code " + exit + "." : last);
            }
            return last;
        }

        /// Ends the answer.
        public void stop() {
            stopped = true;
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    /// Starts an answer; the caller follows it.
    ///
    /// @param mostTokens from 1
    /// @param raw whether the model continues the prompt itself, without its chat template
    /// @throws IOException in one sentence if the process cannot be started
    public Running start(String engine, String prompt, int mostTokens, double temperature, boolean raw)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--workspace", workspace.toString(), "engines", "prompt", engine, "--max-tokens",
                String.valueOf(mostTokens), "--temperature", String.valueOf(temperature)));
        if (raw) {
            command.add("--raw");
        }
        ProgramMessages messages = ProgramMessages.of("prompt");
        Process process;
        try {
            process = new ProcessBuilder(command).redirectError(messages.file().toFile()).start();
        } catch (IOException e) {
            messages.delete();
            throw new IOException("The answer cannot be started: " + FileFault.reason(e) + ".", e);
        }
        try (OutputStream out = process.getOutputStream()) {
            out.write(prompt.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Its messages tell why it did not read.
            System.getLogger(PromptProcess.class.getName()).log(System.Logger.Level.DEBUG, "The prompt was not read",
                    e);
        }
        return new Running(process, messages);
    }
}
