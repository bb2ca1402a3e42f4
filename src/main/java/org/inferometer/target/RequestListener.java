package org.inferometer.target;

import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.RequestId;

/// Receives the events of requests, with the instant in nanoseconds of the run's [org.inferometer.units.Clock].
///
/// Called from one thread; implementations return at once, take no locks and do no input or output.
public interface RequestListener {
    /// The request, which had waited for a connection, leaves this program only now.
    default void departed(RequestId request, long nanos) {}

    /// The request was scheduled for the first time.
    void admitted(RequestId request, long nanos);

    /// The first prefill step started.
    void prefillStarted(RequestId request, long nanos);

    /// Tokens arrived together. A target that cannot count the tokens of a chunk reports one.
    void tokens(RequestId request, long nanos, int[] tokens);

    /// Tokens of one of several answers arrived together.
    ///
    /// @param answer index of the answer; -1 if the target does not tell
    default void tokens(RequestId request, long nanos, int[] tokens, int answer) {
        tokens(request, nanos, tokens);
    }

    /// The prompt as text, from targets that were asked to keep it and sent no token ids.
    default void prompt(RequestId request, String text) {}

    /// A part of the answer as text, from targets that were asked to keep it; in order.
    default void text(RequestId request, String part) {}

    /// The number of tokens, from targets that report chunks; called before the end. Without it, every reported token
    /// counts.
    default void counted(RequestId request, TokenCounts counts) {}

    /// The request ended; no further event follows.
    ///
    /// @param reason empty for OK, else one sentence
    void ended(RequestId request, long nanos, RequestStatus status, String reason);

    /// The token counts of a request and their source.
    ///
    /// @param promptTokens prompt tokens as counted by the source
    /// @param outputTokens output tokens as counted by the source
    /// @param drawnPrompt whether the prompt was the drawn one; else its length was not known before the run
    record TokenCounts(int promptTokens, int outputTokens, TokenSource source, boolean drawnPrompt) {
        /// The counts of a request with the drawn prompt.
        public TokenCounts(int promptTokens, int outputTokens, TokenSource source) {
            this(promptTokens, outputTokens, source, true);
        }

        /// The same counts of a prompt that was drawn or not.
        public TokenCounts of(boolean drawn) {
            return new TokenCounts(promptTokens, outputTokens, source, drawn);
        }
    }
}
