package org.inferometer.load;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.inferometer.record.RunEvent;
import org.inferometer.units.SecretMask;
import org.inferometer.workload.Request;

/// Records prompts and answers as text, for runs that keep them.
///
/// @param source of texts
/// @param writer takes events that are made on its own thread
public record RequestTexts(Source source, Consumer<Supplier<RunEvent>> writer) {
    /// Where texts come from.
    public sealed interface Source {
        /// An engine.
        ///
        /// @param decoder text of token ids
        record Engine(Function<int[], String> decoder) implements Source {}

        /// A target, which reports text.
        ///
        /// @param mask removes secrets from an answer
        record Target(UnaryOperator<String> mask) implements Source {}
    }

    /// Takes an ended request. Returns at once: decoding and masking are the writer's work.
    ///
    /// @param reported prompt that the target reported; empty if it reported none
    /// @param tokens ids of the answer
    /// @param parts text that the target reported, joined
    void ended(Request request, long nanos, String reported, int[] tokens, String parts) {
        String given = request.promptText();
        writer.accept(() -> switch (source) {
            case Source.Engine(var decoder) -> new RunEvent.RequestText(nanos, request.id(),
                    given != null ? given : decoder.apply(request.promptTokens()), decoder.apply(tokens));
            case Source.Target(var mask) -> new RunEvent.RequestText(nanos, request.id(),
                    given != null ? given : masked(mask, reported), masked(mask, parts));
        });
    }

    /// A text that cannot be masked must not end the writer's thread, which would end the run.
    private static String masked(UnaryOperator<String> mask, String text) {
        try {
            return mask.apply(text);
        } catch (RuntimeException e) {
            System.getLogger(RequestTexts.class.getName()).log(System.Logger.Level.WARNING,
                    "A text is left out: it cannot be searched for the key", e);
            return SecretMask.LEFT_OUT;
        }
    }
}
