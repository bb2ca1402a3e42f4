package org.inferometer.ui.fx;

import java.util.ArrayDeque;
import java.util.Deque;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.jspecify.annotations.Nullable;

/// Steps that can be taken back and done again, the last first. Belongs to the UI thread.
public final class UndoStack {
    private static final int MOST = 200;
    private final Deque<Step> undone = new ArrayDeque<>();
    private final Deque<Step> done = new ArrayDeque<>();
    private final ReadOnlyStringWrapper toUndo = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper toRedo = new ReadOnlyStringWrapper("");
    private boolean moving;

    /// A step.
    ///
    /// @param label what was done, as a noun: "change of the experiment"
    /// @param undo takes it back
    /// @param redo does it again
    public record Step(String label, Runnable undo, Runnable redo) {}

    /// A step was taken; steps that were undone are forgotten. No effect while a step is undone or done again.
    public void push(Step step) {
        if (moving) {
            return;
        }
        done.push(step);
        undone.clear();
        if (done.size() > MOST) {
            done.removeLast();
        }
        show();
    }

    /// Takes the last step back.
    public void undo() {
        move(done, undone, true);
    }

    /// Does the step again that was undone last.
    public void redo() {
        move(undone, done, false);
    }

    private void move(Deque<Step> from, Deque<Step> to, boolean back) {
        @Nullable Step step = from.poll();
        if (step == null) {
            return;
        }
        moving = true;
        try {
            (back ? step.undo() : step.redo()).run();
        } finally {
            moving = false;
        }
        to.push(step);
        show();
    }

    private void show() {
        toUndo.set(label(done));
        toRedo.set(label(undone));
    }

    private static String label(Deque<Step> steps) {
        @Nullable Step step = steps.peek();
        return step == null ? "" : step.label();
    }

    /// Label of the step that [#undo] takes back; empty if there is none.
    public ReadOnlyStringProperty toUndo() {
        return toUndo.getReadOnlyProperty();
    }

    /// Label of the step that [#redo] does again; empty if there is none.
    public ReadOnlyStringProperty toRedo() {
        return toRedo.getReadOnlyProperty();
    }
}
