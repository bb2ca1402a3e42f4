package org.inferometer.run.worker;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.record.RunStatus;
import org.inferometer.run.RunFailure;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.WorkerProtocol;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;

/// The worker's side of the protocol: reads an order, runs its plan and sends frames.
///
/// When the parent is gone, input ends; the run and its record are finished all the same.
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

    /// Runs one order; the exit code: 0 done or cancelled, 2 the order could not be read, 3 the run failed.
    public int run() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        String first = lines.readLine();
        WorkerProtocol.Order order;
        try {
            order = protocol.order(first == null ? "" : first);
        } catch (IllegalArgumentException e) {
            send(new WorkerFrame.Finished(RunStatus.FAILED, String.valueOf(e.getMessage())));
            return 2;
        }
        AtomicBoolean cancelled = new AtomicBoolean();
        Thread.ofPlatform().name("worker-commands").daemon().start(() -> listen(lines, cancelled));
        WorkerFrame.Finished finished = execute(order, cancelled);
        send(finished);
        return finished.status() == RunStatus.FAILED ? 3 : 0;
    }

    private WorkerFrame.Finished execute(WorkerProtocol.Order order, AtomicBoolean cancelled) {
        Path folder = Path.of(order.workspace()).resolve(order.plan().folder());
        if (!Files.isDirectory(folder)) {
            return new WorkerFrame.Finished(RunStatus.FAILED,
                    "The folder " + folder + " was moved or deleted before its run began.");
        }
        try (Closeable held = order.reservation().hold()) {
            return execution.in(Path.of(order.workspace())).with(order.server()).execute(order.plan(), this::send,
                    cancelled);
        } catch (RunFailure e) {
            return new WorkerFrame.Finished(RunStatus.FAILED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new WorkerFrame.Finished(RunStatus.FAILED, FileFault.sentence(e));
        } catch (OutOfMemoryError e) {
            return new WorkerFrame.Finished(RunStatus.FAILED, "The worker has no memory left (" + e.getMessage()
                    + "). Use fewer or shorter requests, or a machine with more memory.");
        } catch (RuntimeException | Error e) {
            System.getLogger(Worker.class.getName()).log(System.Logger.Level.ERROR, "The run failed", e);
            return new WorkerFrame.Finished(RunStatus.FAILED,
                    "The run failed because of an internal error: " + OneLine.of(e.toString()) + ".");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new WorkerFrame.Finished(RunStatus.CANCELLED, "");
        }
    }

    private void listen(BufferedReader lines, AtomicBoolean cancelled) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.strip().equals(WorkerProtocol.CANCEL)) {
                    cancelled.set(true);
                }
            }
        } catch (IOException e) {
            send(new WorkerFrame.Log("warning", "Commands cannot be read: " + FileFault.describe(e) + "."));
        }
    }

    private synchronized void send(WorkerFrame frame) {
        // A print stream ignores write errors after the parent process has ended.
        output.print(protocol.line(frame) + "\n");
        output.flush();
    }
}
