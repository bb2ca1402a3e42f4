package org.inferometer.load;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.ThreadEnd;

/// The thread that appends a run's record. Measured threads never wait for the disk and format no text.
///
/// The `accept` methods are lock-free and may be called from any thread. A disk that cannot keep up ends the record with a failure
/// rather than the memory: nothing is dropped in silence, and nothing blocks. Whoever made it closes it; closing writes what is left.
public final class RecordWriter implements AutoCloseable {
    /// Entries that may wait for the disk: minutes of an ordinary run, and some hundred megabytes at most.
    static final int MOST_WAITING = 1 << 18;

    private static final long PERIOD_NANOS = 100_000_000;
    private static final int COUNTED_TOGETHER = 256;
    private static final String ROOM = ". Free disk space or choose another folder with --out.";

    private sealed interface Entry {
        record OfRequest(RequestOutcome request) implements Entry {}

        record OfStep(StepReport step) implements Entry {}

        record OfSample(TelemetrySample sample) implements Entry {}

        record OfEvent(RunEvent event) implements Entry {}
    }

    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicReference<String> failure = new AtomicReference<>(""); // the first one is the cause
    private final RecordSink sink;
    private final Thread thread;
    private final Runnable onFailure;
    private volatile boolean refusing;
    private volatile boolean closing;

    /// @param onFailure called when the record can no longer be written (a full disk, say), on whichever thread found out; must not block
    public RecordWriter(RecordSink sink, Runnable onFailure) {
        this.sink = sink;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("record-writer").daemon().start(this::write);
    }

    public void accept(RequestOutcome request) {
        enqueue(new Entry.OfRequest(request));
    }

    public void accept(StepReport step) {
        enqueue(new Entry.OfStep(step));
    }

    public void accept(TelemetrySample sample) {
        enqueue(new Entry.OfSample(sample));
    }

    public void accept(RunEvent event) {
        enqueue(new Entry.OfEvent(event));
    }

    /// One sentence when writing failed, else empty.
    public String failure() {
        return Objects.requireNonNullElse(failure.get(), "");
    }

    /// Writes the remaining entries and ends the thread. The sink stays open for the final manifest.
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread);
    }

    private void enqueue(Entry entry) {
        if (refusing) {
            return;
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            breakOff("The disk is slower than the run: " + MOST_WAITING + " entries are not written yet.", ROOM);
            return;
        }
        entries.add(entry);
    }

    private void breakOff(String why, String wayOut) {
        refusing = true;
        failure.compareAndSet("", why + " Earlier entries are kept" + wayOut);
        onFailure.run();
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
            breakOff("The record cannot be written (" + e.getMessage() + ").", ROOM);
            entries.clear();
        } catch (RuntimeException | Error e) {
            refusing = true;
            // First of all: where the memory is full, these fill it.
            entries.clear();
            System.getLogger(RecordWriter.class.getName()).log(System.Logger.Level.ERROR, "The record is incomplete",
                    e);
            breakOff("The record is incomplete because of an internal error: " + e + ".", ".");
        }
    }

    private void drain() throws IOException {
        int written = 0;
        for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
            switch (entry) {
                case Entry.OfRequest(RequestOutcome request) -> sink.request(request);
                case Entry.OfStep(StepReport step) -> sink.step(step);
                case Entry.OfSample(TelemetrySample sample) -> sink.telemetry(sample);
                case Entry.OfEvent(RunEvent event) -> sink.event(event);
            }
            // The counter is shared with the measured thread: touched seldom.
            if (++written % COUNTED_TOGETHER == 0) {
                waiting.addAndGet(-COUNTED_TOGETHER);
            }
        }
        waiting.addAndGet(-(written % COUNTED_TOGETHER));
        if (written > 0) {
            sink.flush();
        }
    }
}
