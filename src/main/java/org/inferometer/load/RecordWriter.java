package org.inferometer.load;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.FileFault;
import org.inferometer.units.ThreadEnd;

/// The thread that appends a run's record. Measured threads never wait for the disk and format no text.
///
/// The `accept` methods are lock-free and may be called from any thread. If the disk cannot keep up, the record ends with a
/// failure; entries are never dropped silently. The caller closes it; closing writes the remaining entries.
public final class RecordWriter implements AutoCloseable {
    /// Maximum entries that wait for the disk: minutes of a usual run, at most some hundred megabytes.
    static final int MOST_WAITING = 1 << 18;

    private static final long PERIOD_NANOS = 100_000_000;
    private static final int COUNTED_TOGETHER = 256;
    private static final String ROOM = ". Free disk space or choose another folder with --out.";

    /// What is appended to the sink.
    private interface Entry {
        void writeTo(RecordSink sink) throws IOException;
    }

    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicReference<String> failure = new AtomicReference<>(""); // the first one is the cause
    private final RecordSink sink;
    private final Thread thread;
    private final Runnable onFailure;
    private volatile boolean refusing;
    private volatile boolean closing;

    /// @param onFailure called once the record cannot be written, as with a full disk; on any thread; must not block
    public RecordWriter(RecordSink sink, Runnable onFailure) {
        this.sink = sink;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("record-writer").daemon().start(this::write);
    }

    public void accept(RequestOutcome request) {
        enqueue(to -> to.request(request));
    }

    public void accept(StepReport step) {
        enqueue(to -> to.step(step));
    }

    public void accept(TelemetrySample sample) {
        enqueue(to -> to.telemetry(sample));
    }

    /// An event that is made on the writer's thread.
    public void accept(Supplier<RunEvent> event) {
        enqueue(to -> to.event(event.get()));
    }

    public void accept(RunEvent event) {
        enqueue(to -> to.event(event));
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

    private void breakOff(String why, String remedy) {
        refusing = true;
        failure.compareAndSet("", why + " Earlier entries are kept" + remedy);
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
            breakOff("The record cannot be written (" + FileFault.describe(e) + ").", ROOM);
            entries.clear();
        } catch (RuntimeException | Error e) {
            refusing = true;
            // Cleared first: the entries may be what fills the memory.
            entries.clear();
            System.getLogger(RecordWriter.class.getName()).log(System.Logger.Level.ERROR, "The record is incomplete",
                    e);
            breakOff("The record is incomplete because of an internal error: " + e + ".", ".");
        }
    }

    private void drain() throws IOException {
        int written = 0;
        for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
            entry.writeTo(sink);
            // The measured thread shares the counter, so it is updated rarely.
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
