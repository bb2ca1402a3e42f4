package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.target.edgellm.Tool.ToolFailure;
import org.inferometer.target.edgellm.Tool.ToolResult;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.Mailbox;
import org.inferometer.units.ThreadEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Runs one tool process after another on one thread, which queues requests, waits for processes and reports.
///
/// A tool reports durations, not instants. Its work is assumed to end with its process: the first token came one decode
/// time before, and the prefill started one prefill time before the first token.
final class EdgeLlmTarget implements Target {
    /// Time to fill a batch: enough for the next requests of a closed loop, little compared with a process start.
    private static final long FILL_NANOS = 50_000_000;

    private static final String CLOSED = "The target was closed.";
    private static final int[] ONE_TOKEN = {0};

    private final EdgeLlmSettings settings;
    private final Tool tool;
    private final Clock clock;
    private final RequestListener listener;
    private final TargetListener events;
    private final DistinctMessages messages;
    private final Mailbox<Runnable> mailbox = new Mailbox<>();
    private final Deque<Request> queue = new ArrayDeque<>();
    private final Thread thread;
    private @Nullable ToolRun running;
    private long fillUntilNanos;
    private boolean arrivalsEnded;
    private boolean closing;

    private EdgeLlmTarget(EdgeLlmSettings settings, Tool tool, TargetSetup setup) {
        this.settings = settings;
        this.tool = tool;
        this.clock = setup.clock();
        this.listener = setup.requests();
        this.events = setup.events();
        this.messages = new DistinctMessages(setup.clock(), setup.events());
        this.thread = new Thread(this::work, "edgellm-target");
        this.thread.setDaemon(true);
    }

    /// Starts the thread; the caller closes the target.
    static EdgeLlmTarget start(EdgeLlmSettings settings, Tool tool, TargetSetup setup) {
        EdgeLlmTarget target = new EdgeLlmTarget(settings, tool, setup);
        target.messages.report(tool.caution());
        target.thread.start();
        return target;
    }

    @Override
    public String description() {
        return settings.label() + " by " + settings.tool();
    }

    @Override
    public void send(Request request) {
        if (!mailbox.post(() -> enqueue(request))) {
            throw new IllegalStateException("The target is closed and takes no requests.");
        }
    }

    /// A process is stopped when all requests of its batch are cancelled.
    @Override
    public void cancel(RequestId request) {
        mailbox.post(() -> cancelNow(request));
    }

    @Override
    public void arrivalsEnded() {
        mailbox.post(() -> arrivalsEnded = true);
    }

    /// Stops the process, cancels every request and removes all files; nothing is reported afterwards.
    @Override
    public void close() {
        mailbox.post(() -> closing = true);
        ThreadEnd.await(thread);
    }

    private void work() {
        while (!closing) {
            mailbox.await(nanosToWait());
            mailbox.take(Runnable::run);
            advance();
        }
        stop(RequestStatus.CANCELLED, CLOSED);
        mailbox.close(Runnable::run);
        for (Request request : queue) {
            listener.ended(request.id(), clock.nanos(), RequestStatus.CANCELLED, CLOSED);
        }
        queue.clear();
    }

    private long nanosToWait() {
        ToolRun run = running;
        long until = run != null ? run.deadlineNanos() : queue.isEmpty() ? Long.MAX_VALUE : fillUntilNanos;
        return until == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, until - clock.nanos());
    }

    private void enqueue(Request request) {
        if (queue.isEmpty()) {
            fillUntilNanos = clock.nanos() + FILL_NANOS;
        }
        queue.add(request);
        arrivalsEnded = false;
    }

    private void cancelNow(RequestId id) {
        ToolRun run = running;
        if (queue.removeIf(request -> request.id().equals(id)) || (run != null && run.cancel(id))) {
            listener.ended(id, clock.nanos(), RequestStatus.CANCELLED, "The client cancelled the request.");
        }
        if (run != null && run.waiting().isEmpty()) {
            stop(RequestStatus.CANCELLED, "");
        }
    }

    private void advance() {
        ToolRun run = running;
        if (run != null && clock.nanos() >= run.deadlineNanos()) {
            stop(RequestStatus.TIMED_OUT, settings.options().mode().program() + " did not end within "
                    + (long) (settings.options().timeoutSeconds() * 1000) + " ms and was stopped.");
        }
        if (!closing && running == null && !queue.isEmpty() && full()) {
            launch(nextBatch());
        }
    }

    private boolean full() {
        int size = settings.options().batchSize();
        return size == 1 || arrivalsEnded || queue.size() >= size || clock.nanos() >= fillUntilNanos;
    }

    /// The oldest request and those that can share its process, in order of arrival.
    private List<Request> nextBatch() {
        Request oldest = queue.remove();
        List<Request> batch = new ArrayList<>(List.of(oldest));
        Iterator<Request> others = queue.iterator();
        while (batch.size() < settings.options().batchSize() && others.hasNext()) {
            Request other = others.next();
            if (tool.together(oldest, other)) {
                batch.add(other);
                others.remove();
            }
        }
        return batch;
    }

    private void launch(List<Request> batch) {
        Path folder;
        try {
            folder = Files.createTempDirectory("inferometer-edgellm-");
        } catch (IOException e) {
            String sentence = "Cannot create a temporary folder. " + FileFault.sentence(e);
            batch.forEach(request -> listener.ended(request.id(), clock.nanos(), RequestStatus.FAILED, sentence));
            return;
        }
        ToolRun run = new ToolRun(batch, folder, clock.nanos());
        running = run;
        // The queue time ends when the process starts.
        batch.forEach(request -> listener.admitted(request.id(), run.startedNanos()));
        try {
            run.plan(tool.commands(batch, folder));
            startNext(run);
        } catch (IOException e) {
            stop(RequestStatus.FAILED, "Cannot write the input. " + FileFault.sentence(e));
        }
    }

    private void startNext(ToolRun run) {
        long deadline = clock.nanos() + (long) (settings.options().timeoutSeconds() * 1e9);
        try {
            run.started(ToolProcess.start(run.nextCommand(), settings.workingFolder(), process -> {
                long nanos = clock.nanos();
                mailbox.post(() -> processEnded(process, nanos));
            }), deadline);
        } catch (IOException e) {
            stop(RequestStatus.FAILED, settings.tool() + " cannot be started: " + FileFault.describe(e) + ".");
        }
    }

    private void processEnded(ToolProcess process, long nanos) {
        ToolRun run = running;
        if (run == null || run.process() != process) {
            return;
        }
        if (process.status() != 0) {
            String last = process.lastLine();
            stop(RequestStatus.FAILED, settings.options().mode().program() + " ended with status " + process.status()
                    + (last.isEmpty() ? " without output." : ": " + last));
        } else if (run.hasNextCommand()) {
            startNext(run);
        } else {
            try {
                ToolResult work = tool.read(run.batch(), run.folder());
                long ran = nanos - run.startedNanos();
                if (work.nanos() > ran) {
                    throw new ToolFailure("The profile reports " + work.nanos() / 1_000_000
                            + " ms of work, but the process took " + ran / 1_000_000 + " ms. The profile is not used.");
                }
                report(run, work, nanos);
                stop(RequestStatus.OK, "");
            } catch (ToolFailure e) {
                stop(RequestStatus.FAILED, e.message());
            }
        }
    }

    private void report(ToolRun run, ToolResult work, long endNanos) {
        work.peakBytes().forEach((name, bytes) -> events.memoryPeak(endNanos, name.equals(Profile.HOST_PEAK), bytes));
        work.speculation().forEach((name, value) -> events.gauge(endNanos, "edgellm:" + name, value));
        long firstNanos = endNanos - work.decodeNanos();
        for (int i = 0; i < run.batch().size(); i++) {
            RequestId id = run.batch().get(i).id();
            if (!run.waiting().contains(id)) {
                continue;
            }
            ToolResult.RequestTokens share = work.requests().get(i);
            // Counts first: the time between the two instants is not an inter-token gap.
            listener.counted(id, new TokenCounts(share.promptTokens(), share.outputTokens(), TokenSource.PROFILE));
            listener.prefillStarted(id, firstNanos - work.prefillNanos());
            listener.tokens(id, firstNanos, ONE_TOKEN);
            if (share.outputTokens() > 1) {
                listener.tokens(id, endNanos, ONE_TOKEN);
            }
        }
    }

    /// Ends the run and its requests; removes process and files.
    private void stop(RequestStatus status, String reason) {
        ToolRun run = running;
        if (run == null) {
            return;
        }
        running = null;
        // Taken before cleaning up.
        long nanos = clock.nanos();
        if (!run.clear()) {
            messages.report("A process of " + settings.tool() + " could not be stopped, or its files in " + run.folder()
                    + " could not be removed.");
        }
        for (RequestId id : run.waiting()) {
            listener.ended(id, nanos, status, reason);
        }
        if (!queue.isEmpty()) {
            fillUntilNanos = clock.nanos() + FILL_NANOS;
        }
    }
}
