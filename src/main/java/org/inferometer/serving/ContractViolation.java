package org.inferometer.serving;

/// A decision that breaks the contract of schedulers. It ends the engine: a repaired decision would measure another
/// policy.
public final class ContractViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message which request, which rule
    public ContractViolation(String message) {
        super(message);
    }
}
