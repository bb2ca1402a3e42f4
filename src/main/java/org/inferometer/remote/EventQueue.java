package org.inferometer.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.run.WorkerFrame;

/// Writes events on a thread of its own, so that a slow connection never delays a run.
///
/// Live frames are left out while many events wait. A lost connection ends the writing and nothing else.
final class EventQueue implements AutoCloseable {
    private static final int MOST_WAITING = 100;

    private final LinkedBlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private final byte[] end = new byte[0];
    private final AtomicInteger waiting = new AtomicInteger();
    private final OutputStream out;
    private final Thread writer;
    private volatile boolean lost;

    EventQueue(OutputStream out) {
        this.out = out;
        this.writer = Thread.ofPlatform().name("remote-events").daemon().start(this::write);
    }

    void add(RemoteEvent event) {
        boolean live = event instanceof RemoteEvent.Frame frame && frame.frame() instanceof WorkerFrame.Live;
        if (!lost && !(live && waiting.get() > MOST_WAITING)) {
            waiting.incrementAndGet();
            lines.add(RemoteProtocol.line(event));
        }
    }

    private void write() {
        try {
            for (byte[] line = lines.take(); line != end; line = lines.take()) {
                out.write(line);
                out.flush();
                waiting.decrementAndGet();
            }
        } catch (IOException e) {
            lost = true;
            System.getLogger(EventQueue.class.getName()).log(System.Logger.Level.DEBUG, "The connection is lost", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until all events are written or the connection is lost.
    @Override
    public void close() {
        lines.add(end);
        try {
            writer.join();
        } catch (InterruptedException e) {
            writer.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
