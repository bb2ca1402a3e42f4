package org.inferometer.execution.host.peer;

/// A runtime with one model. The caller closes it.
interface Peer extends AutoCloseable {
    /// Seconds from a prompt to its first token.
    ///
    /// @param tokens of the prompt
    double prefillSeconds(int tokens) throws Exception;

    /// Tokens a second of all sequences while they decode together.
    ///
    /// @param position at which they begin
    double decodeRate(int sequences, int position) throws Exception;

    @Override
    void close();
}
