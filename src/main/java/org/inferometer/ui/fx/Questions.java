package org.inferometer.ui.fx;

/// Asks before an action that cannot be undone. Called on the UI thread; returns after the answer.
public interface Questions {
    /// Whether the user chose the action. Closing the dialog declines it.
    ///
    /// @param action text of the button that confirms
    /// @param instead text of the button that declines
    boolean confirmed(String heading, String detail, String action, String instead);
}
