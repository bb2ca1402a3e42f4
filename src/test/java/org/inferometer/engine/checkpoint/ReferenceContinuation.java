package org.inferometer.engine.checkpoint;

import java.util.stream.IntStream;
import org.inferometer.engine.Engine;
import org.inferometer.execution.check.ReferenceForward;

/// What the reference computes with an engine after a prompt.
///
/// @param logits after the prompt's last token
/// @param tokens each the likeliest after those before it
record ReferenceContinuation(double[] logits, int[] tokens) {
    static ReferenceContinuation of(Engine engine, int[] prompt, int length) {
        ReferenceForward forward = new ReferenceForward(engine.descriptor().shape(), engine.weights());
        double[] afterPrompt = {};
        for (int token : prompt) {
            afterPrompt = forward.next(token);
        }
        int[] tokens = new int[length];
        double[] logits = afterPrompt;
        for (int i = 0; i < length; i++) {
            double[] now = logits;
            tokens[i] = IntStream.range(0, now.length).reduce((a, b) -> now[b] > now[a] ? b : a).orElseThrow();
            logits = forward.next(tokens[i]);
        }
        return new ReferenceContinuation(afterPrompt.clone(), tokens);
    }
}
