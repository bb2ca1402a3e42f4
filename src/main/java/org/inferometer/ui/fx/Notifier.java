package org.inferometer.ui.fx;

/// Short messages that do not interrupt. Called on the UI thread.
public interface Notifier {
    /// Something went well: "Saved report.html".
    void done(String sentence);

    /// Something did not work: what, and the way out.
    void problem(String sentence);
}
