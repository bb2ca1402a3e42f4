package org.inferometer.workload;

import java.io.IOException;
import java.util.List;
import org.inferometer.workload.trace.TraceFile;
import org.jspecify.annotations.Nullable;

/// The longest requests of a workload, known before any is drawn, and the time that a trace takes.
///
/// @param longestPrompt in tokens; for a file in bytes, the upper bound for any tokenizer
/// @param longestTotal prompt plus output of one request
/// @param replayed requests of a trace that come at its instants; absent for other arrivals
public record WorkloadExtent(int longestPrompt, int longestTotal, @Nullable RecordedSpan replayed) {
    /// Of requests that do not come at recorded instants.
    public WorkloadExtent(int longestPrompt, int longestTotal) {
        this(longestPrompt, longestTotal, null);
    }

    /// Reads the prompt file or the trace if there is one.
    ///
    /// @throws IOException if a file cannot be used
    public static WorkloadExtent of(WorkloadSpec spec) throws IOException {
        WorkloadExtent written = written(spec);
        int line = spec.refinements().varyPrompts() ? VariedPrompts.LINE_TOKENS : 0;
        return new WorkloadExtent(written.longestPrompt + line, written.longestTotal + line, written.replayed);
    }

    private static WorkloadExtent written(WorkloadSpec spec) throws IOException {
        TraceReplay replay = spec.refinements().trace();
        if (replay != null) {
            return ofTrace(spec, replay);
        }
        int output = spec.outputTokens().largest();
        String file = spec.promptFile();
        if (file != null) {
            List<PromptFile.Prompt> prompts = new PromptFile().read(TraceSelection.path(file));
            return new WorkloadExtent(
                    prompts.stream().mapToInt(prompt -> TraceSelection.bytes(prompt.text())).max().orElse(1),
                    prompts.stream().mapToInt(
                            prompt -> TraceSelection.bytes(prompt.text()) + prompt.outputTokens().orElse(output)).max()
                            .orElse(1));
        }
        Sessions sessions = spec.refinements().sessions();
        long total = sessions == null ? (long) spec.sharedPrefixTokens() + spec.promptTokens().largest() + output
                : sessions.longest(spec.sharedPrefixTokens(), spec.promptTokens(), spec.outputTokens());
        long prompt = sessions == null ? total - output : Math.max(1, total - 1);
        return new WorkloadExtent(clamped(prompt), clamped(total));
    }

    private static WorkloadExtent ofTrace(WorkloadSpec spec, TraceReplay replay) throws IOException {
        TraceFile file = TraceFile.open(TraceSelection.path(replay.file()), replay.options().rows());
        boolean texts = file.format().hasTexts();
        if (!file.hasInstants() && spec.arrivals() instanceof ArrivalProcess.Trace) {
            throw new IOException(replay.file()
                    + ": Its requests have no instants to replay. Choose arrivals such as closed:concurrency=8 or poisson:rate=4.");
        }
        // Texts are measured in bytes here, so filters by tokens do not apply.
        TraceReplay counted = texts ? new TraceReplay(replay.file(), replay.options().everyText()) : replay;
        Selection selection = new Selection(spec);
        TraceSelection.read(counted, texts ? 0 : spec.requests(), TraceSelection::bytes, selection::add);
        int mostTotal = replay.options().maxTotal();
        return new WorkloadExtent(selection.prompt,
                clamped(mostTotal > 0 ? Math.min(selection.total, mostTotal) : selection.total), selection.span());
    }

    /// The selected requests of a trace, measured as they are read.
    private static final class Selection {
        private final double speed;
        private final int mostRequests;
        private final double mostNanos;
        private int prompt = 1;
        private long total = 1;
        private int requests;
        private boolean sessions;
        private long firstNanos;
        private long lastNanos;

        private Selection(WorkloadSpec spec) {
            speed = spec.arrivals() instanceof ArrivalProcess.Trace(double asked) ? asked : 0;
            mostRequests = spec.requests() == 0 ? Integer.MAX_VALUE : spec.requests();
            long duration = spec.refinements().durationNanos();
            mostNanos = duration == 0 ? Double.MAX_VALUE : duration * speed;
        }

        private void add(TraceSelection.Selected each) {
            long asked = each.contextTokens() + each.promptTokens();
            prompt = Math.max(prompt, clamped(asked));
            total = Math.max(total, asked + each.outputTokens());
            if (each.contextTokens() > 0) {
                sessions = true;
            } else if (requests < mostRequests && each.atNanos() < mostNanos) {
                firstNanos = requests == 0 ? each.atNanos() : firstNanos;
                lastNanos = each.atNanos();
                requests++;
            }
        }

        private @Nullable RecordedSpan span() {
            return speed == 0 || requests == 0 ? null
                    : new RecordedSpan(requests, sessions, Math.round((lastNanos - firstNanos) / speed));
        }
    }

    private static int clamped(long tokens) {
        return (int) Math.min(Integer.MAX_VALUE / 2, tokens);
    }
}
