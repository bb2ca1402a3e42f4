package org.inferometer.benchmark;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.serving.StepReport;
import org.inferometer.telemetry.TelemetrySample;

/// The one thread that appends a run's record, so that nothing measured ever waits for a disk.
///
/// The `accept` methods are lock-free and may be called from any thread. Whoever made it closes it; closing writes what is left.
final class RecordWriter implements AutoCloseable {
    private static final long PERIOD_NANOS = 100_000_000;

    private sealed interface Entry {
        record OfRequest(RequestOutcome request) implements Entry {}

        record OfStep(StepReport step) implements Entry {}

        record OfSample(TelemetrySample sample) implements Entry {}

        record OfEvent(RunEvent event) implements Entry {}
    }

    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private volatile String failure = "";
    private final RecordSink sink;
    private final Thread thread;
    private final Runnable onFailure;
    private volatile boolean closing;

    /// @param onFailure called once, on the writer's thread, when the record can no longer be written (a full disk, say)
    RecordWriter(RecordSink sink, Runnable onFailure) {
        this.sink = sink;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("record-writer").daemon().start(this::write);
    }

    void accept(RequestOutcome request) {
        entries.add(new Entry.OfRequest(request));
    }

    void accept(StepReport step) {
        entries.add(new Entry.OfStep(step));
    }

    void accept(TelemetrySample sample) {
        entries.add(new Entry.OfSample(sample));
    }

    void accept(RunEvent event) {
        entries.add(new Entry.OfEvent(event));
    }

    /// One sentence when writing failed, else empty.
    String failure() {
        return failure;
    }

    /// Writes what is left and ends the thread; the sink stays open for the final manifest.
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                // The record comes first; the interrupt is handed on afterwards.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try {
            while (true) {
                boolean last = closing;
                drain();
                if (last) {
                    return;
                }
                LockSupport.parkNanos(this, PERIOD_NANOS);
            }
        } catch (IOException e) {
            failure = "The record can no longer be written (" + e.getMessage()
                    + "). What was written before is kept; free some disk space or choose another folder with --out.";
            onFailure.run();
        }
    }

    private void drain() throws IOException {
        boolean any = false;
        for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
            any = true;
            switch (entry) {
                case Entry.OfRequest(RequestOutcome request) -> sink.request(request);
                case Entry.OfStep(StepReport step) -> sink.step(step);
                case Entry.OfSample(TelemetrySample sample) -> sink.telemetry(sample);
                case Entry.OfEvent(RunEvent event) -> sink.event(event);
            }
        }
        if (any) {
            sink.flush();
        }
    }
}
