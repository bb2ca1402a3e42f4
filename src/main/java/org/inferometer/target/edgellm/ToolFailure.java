package org.inferometer.target.edgellm;

/// A failure of a tool, as one sentence.
final class ToolFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ToolFailure(String sentence) {
        super(sentence);
    }

    /// The sentence.
    String message() {
        return String.valueOf(getMessage());
    }
}
