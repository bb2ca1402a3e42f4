package org.inferometer.ui.fx;

/// Asks before something that cannot be undone. Called on the UI thread; returns when the person has answered.
public interface Questions {
    /// Whether the person chose the action; closing the dialog chooses the other.
    ///
    /// @param action the button that does it, named after what it does
    /// @param instead the button that does nothing
    boolean confirmed(String heading, String detail, String action, String instead);
}
