package org.inferometer.ui.fx;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import org.inferometer.units.QuantityText;

/// Asks before an action that cannot be undone. Called on the UI thread; returns after the answer.
public interface Questions {
    /// Whether the user chose the action. Closing the dialog declines it.
    ///
    /// @param action text of the button that confirms
    /// @param instead text of the button that declines
    boolean confirmed(String heading, String detail, String action, String instead);

    /// Whether engines of this size are built before an experiment.
    default boolean buildsFirst(long bytes) {
        return confirmed(text("build.heading"), text("build.detail", QuantityText.bytes(bytes)), text("build.yes"),
                text("build.no"));
    }

    /// Asks for one of several answers. Closing the dialog gives the last one.
    ///
    /// @param answers at least one; the last changes nothing
    default <A> A chosen(String heading, String detail, List<Answer<A>> answers) {
        return answers.getLast().value();
    }

    /// An answer.
    ///
    /// @param id of its button in the scene
    /// @param label text of its button
    record Answer<A>(A value, String id, String label, Look look) {
        /// How its button looks.
        public enum Look {
            /// Enter gives it.
            DEFAULT,
            /// Neither harmful nor the first choice.
            PLAIN,
            /// Something is lost.
            DANGER
        }
    }
}
