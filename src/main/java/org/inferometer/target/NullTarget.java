package org.inferometer.target;

import org.inferometer.record.RequestStatus;
import org.inferometer.units.Clock;
import org.inferometer.units.Mailbox;
import org.inferometer.units.ThreadEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Answers every request at once with tokens of id 0, to measure the limit of the load generator and the recorders.
///
/// Responses come from its own thread, as from an engine.
public final class NullTarget implements Target {
    private final Clock clock;
    private final RequestListener listener;
    private final Mailbox<Runnable> mailbox = new Mailbox<>();
    private final Thread thread;
    private boolean closing;

    private NullTarget(Clock clock, RequestListener listener) {
        this.clock = clock;
        this.listener = listener;
        this.thread = new Thread(this::answerAll, "null-target");
        this.thread.setDaemon(true);
    }

    /// Starts answering.
    public static NullTarget start(Clock clock, RequestListener listener) {
        NullTarget target = new NullTarget(clock, listener);
        target.thread.start();
        return target;
    }

    @Override
    public String description() {
        return "null target";
    }

    @Override
    public void send(Request request) {
        if (!mailbox.post(() -> answer(request))) {
            throw new IllegalStateException("The target is closed and takes no requests.");
        }
    }

    /// No effect: requests end at once.
    @Override
    public void cancel(RequestId request) {}

    @Override
    public void arrivalsEnded() {}

    /// Requests sent before are answered; later ones end as cancelled.
    @Override
    public void close() {
        mailbox.post(() -> closing = true);
        ThreadEnd.await(thread);
    }

    private void answerAll() {
        while (!closing) {
            mailbox.await(Long.MAX_VALUE);
            mailbox.take(Runnable::run);
        }
        mailbox.close(Runnable::run);
    }

    private void answer(Request request) {
        if (closing) {
            listener.ended(request.id(), clock.nanos(), RequestStatus.CANCELLED, "The target was closed.");
            return;
        }
        long nanos = clock.nanos();
        listener.admitted(request.id(), nanos);
        listener.prefillStarted(request.id(), nanos);
        for (int i = 0; i < request.outputTokens(); i++) {
            listener.tokens(request.id(), clock.nanos(), new int[]{0});
        }
        listener.ended(request.id(), clock.nanos(), RequestStatus.OK, "");
    }
}
