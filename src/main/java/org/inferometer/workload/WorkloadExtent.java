package org.inferometer.workload;

import java.io.IOException;
import java.util.List;
import org.inferometer.workload.trace.TraceFile;

/// The longest requests of a workload, known before any is drawn.
///
/// @param longestPrompt in tokens; for a file in bytes, the upper bound for any tokenizer
/// @param longestTotal prompt plus output of one request
public record WorkloadExtent(int longestPrompt, int longestTotal) {
    /// Reads the prompt file or the trace if there is one.
    ///
    /// @throws IOException if a file cannot be used
    public static WorkloadExtent of(WorkloadSpec spec) throws IOException {
        WorkloadExtent written = written(spec);
        int line = spec.refinements().varyPrompts() ? VariedPrompts.LINE_TOKENS : 0;
        return new WorkloadExtent(written.longestPrompt + line, written.longestTotal + line);
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
        boolean timed = TraceFile.open(TraceSelection.path(replay.file())).format().hasInstants();
        if (!timed && spec.arrivals() instanceof ArrivalProcess.Trace) {
            throw new IOException(replay.file()
                    + ": Its requests have no instants to replay. Choose arrivals such as closed:concurrency=8 or poisson:rate=4.");
        }
        // Texts are measured in bytes here, so filters by tokens do not apply.
        TraceReplay counted = timed ? replay : new TraceReplay(replay.file(), replay.options().everyText());
        int[] prompt = {1};
        long[] total = {1};
        TraceSelection.read(counted, timed ? spec.requests() : 0, TraceSelection::bytes, each -> {
            prompt[0] = Math.max(prompt[0], each.promptTokens());
            total[0] = Math.max(total[0], (long) each.promptTokens() + each.outputTokens());
        });
        int mostTotal = replay.options().maxTotal();
        return new WorkloadExtent(prompt[0], clamped(mostTotal > 0 ? Math.min(total[0], mostTotal) : total[0]));
    }

    private static int clamped(long tokens) {
        return (int) Math.min(Integer.MAX_VALUE / 2, tokens);
    }
}
