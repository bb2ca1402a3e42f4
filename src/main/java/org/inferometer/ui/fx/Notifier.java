package org.inferometer.ui.fx;

/// Shows short messages. Called on the UI thread.
public interface Notifier {
    /// An action succeeded: "Saved report.html".
    void done(String sentence);

    /// An action failed: what happened and what to do.
    void problem(String sentence);
}
