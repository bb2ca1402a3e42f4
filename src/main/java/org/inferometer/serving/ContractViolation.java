package org.inferometer.serving;

/// A scheduler's decision that breaks the contract, in one sentence. It ends the engine: a repaired decision would measure a
/// policy that nobody wrote.
public final class ContractViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message one sentence: which request, which rule
    public ContractViolation(String message) {
        super(message);
    }
}
