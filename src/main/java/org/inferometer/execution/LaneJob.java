package org.inferometer.execution;

/// A job for one lane: a step, or a transfer between KV pools.
public sealed interface LaneJob permits Step, KvTransfer {
    /// Its number; an engine counts steps and transfers together.
    long number();

    /// Names it in messages: "Step 7".
    default String describe() {
        return switch (this) {
            case Step step -> "Step " + step.number();
            case KvTransfer transfer -> "Transfer " + transfer.number();
        };
    }
}
