package org.inferometer.suite.mapping;

/// What became of one field of a test configuration.
///
/// @param field its path: "worker_config.gen.max_batch_size"
/// @param value as written
/// @param sentence what it does here, or why it does nothing
public record MappedField(String field, String value, Use use, String sentence) {
    /// How a field is used.
    public enum Use {
        /// Does what it says.
        USED,
        /// Does something near to it.
        CHANGED,
        /// Does nothing.
        NOT_USED
    }
}
