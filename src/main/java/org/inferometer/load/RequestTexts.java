package org.inferometer.load;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.Request;
import org.jspecify.annotations.Nullable;

/// Records prompts and answers as text, for runs that keep them.
///
/// @param decoder text of token ids, for an engine; absent for a target, which reports text
/// @param mask removes secrets from an answer that a target reported
/// @param writer takes events that are made on its own thread
public record RequestTexts(@Nullable Function<int[], String> decoder, UnaryOperator<String> mask,
        Consumer<Supplier<RunEvent>> writer) {
    /// Of an engine, whose tokens are decoded.
    public static RequestTexts ofEngine(Function<int[], String> decoder, Consumer<Supplier<RunEvent>> writer) {
        return new RequestTexts(decoder, UnaryOperator.identity(), writer);
    }

    /// Of a target, which reports text.
    public static RequestTexts ofTarget(UnaryOperator<String> mask, Consumer<Supplier<RunEvent>> writer) {
        return new RequestTexts(null, mask, writer);
    }

    /// Takes an ended request. Returns at once: decoding and masking are the writer's work.
    ///
    /// @param prompt that the target reported; empty if it reported none
    /// @param tokens ids of the answer
    /// @param parts text that the target reported, joined
    void ended(Request request, long nanos, String prompt, int[] tokens, String parts) {
        writer.accept(() -> new RunEvent.RequestText(nanos, request.id(), prompt(request, prompt),
                decoder == null ? mask.apply(parts) : decoder.apply(tokens)));
    }

    private String prompt(Request request, String reported) {
        String given = request.promptText();
        return given != null ? given : decoder == null ? reported : decoder.apply(request.promptTokens());
    }
}
