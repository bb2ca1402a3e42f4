package org.inferometer.ui.fx;

/// Shows short messages. Called on the UI thread.
public interface Notifier {
    /// An action succeeded: "Saved report.html".
    void done(String sentence);

    /// Something ended elsewhere, which the user may want to see.
    ///
    /// @param action label of the button: "Show result"
    default void done(String sentence, String action, Runnable onAction) {
        done(sentence);
    }

    /// Something ended, and not as wished: an invalid result, a session that broke.
    default void caution(String sentence) {
        done(sentence);
    }

    /// As [#caution(String)], with a button.
    ///
    /// @param action label of the button: "Show result"
    default void caution(String sentence, String action, Runnable onAction) {
        done(sentence, action, onAction);
    }

    /// An action failed: what happened and what to do.
    void problem(String sentence);
}
