package org.inferometer.load;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;

/// Records prompts and answers as text, for runs that keep them.
///
/// @param decoder text of token ids, for an engine; absent for a target, which reports text
/// @param writer takes events that are made on its own thread
public record RequestTexts(@Nullable Function<int[], String> decoder, Consumer<Supplier<RunEvent>> writer) {
    /// Takes an ended request. Returns at once: decoding is the writer's work.
    ///
    /// @param prompt that the target reported; empty if it reported none
    /// @param tokens ids of the answer
    /// @param parts text that the target reported, joined
    void ended(Request request, long nanos, String prompt, int[] tokens, String parts) {
        writer.accept(() -> new RunEvent.RequestText(nanos, request.id(), prompt(request, prompt),
                decoder == null ? parts : decoder.apply(tokens)));
    }

    private String prompt(Request request, String reported) {
        String given = request.promptText();
        return given != null ? given : decoder == null ? reported : decoder.apply(request.promptTokens());
    }
}
