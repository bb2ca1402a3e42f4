package org.inferometer.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;

/// The worker's side of the protocol: reads one plan, runs it, says how it goes, a JSON frame a line.
///
/// Input that ends means the parent is gone: the run and its record are finished all the same.
public final class Worker {
    private final RunExecution execution;
    private final InputStream input;
    private final PrintStream output;
    private final WorkerProtocol protocol = new WorkerProtocol();

    /// @param output nothing else may be written to it
    public Worker(RunExecution execution, InputStream input, PrintStream output) {
        this.execution = execution;
        this.input = input;
        this.output = output;
    }

    /// Runs one plan; the exit code: 0 done or cancelled, 2 no plan could be read, 3 the run failed.
    public int run() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        String first = lines.readLine();
        RunPlan plan;
        try {
            plan = protocol.plan(first == null ? "" : first);
        } catch (IllegalArgumentException e) {
            send(new WorkerFrame.Finished(RunStatus.FAILED,
                    "A worker expects a run plan on its first line of input. " + e.getMessage()));
            return 2;
        }
        AtomicBoolean cancelled = new AtomicBoolean();
        Thread.ofPlatform().name("worker-commands").daemon().start(() -> listen(lines, cancelled));
        WorkerFrame.Finished finished = execution.execute(plan, this::send, cancelled);
        send(finished);
        return finished.status() == RunStatus.FAILED ? 3 : 0;
    }

    private void listen(BufferedReader lines, AtomicBoolean cancelled) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.strip().equals(WorkerProtocol.CANCEL)) {
                    cancelled.set(true);
                }
            }
        } catch (IOException e) {
            send(new WorkerFrame.Log("warning", "Commands can no longer be read: " + e.getMessage()));
        }
    }

    private synchronized void send(WorkerFrame frame) {
        // A print stream swallows the error of a parent that is gone, which is what is wanted here.
        output.print(protocol.line(frame) + "\n");
        output.flush();
    }
}
