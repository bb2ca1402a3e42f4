package org.inferometer.target.edgellm;

/// What a tool did not do, in one sentence for people.
final class ToolFault extends Exception {
    private static final long serialVersionUID = 1L;

    ToolFault(String sentence) {
        super(sentence);
    }

    /// The sentence.
    String sentence() {
        return String.valueOf(getMessage());
    }
}
