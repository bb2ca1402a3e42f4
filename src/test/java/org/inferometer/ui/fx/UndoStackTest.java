package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoStackTest {
    private final UndoStack stack = new UndoStack();
    private final List<String> did = new ArrayList<>();

    @Test
    void lastStepIsUndoneFirstAndDoneAgain() {
        push("one");
        push("two");
        assertThat(stack.toUndo().get()).isEqualTo("two");
        stack.undo();
        stack.undo();
        stack.undo();
        stack.redo();
        assertThat(did).containsExactly("undo two", "undo one", "redo one");
        assertThat(stack.toUndo().get()).isEqualTo("one");
        assertThat(stack.toRedo().get()).isEqualTo("two");
        push("three");
        assertThat(stack.toRedo().get()).isEmpty();
    }

    @Test
    void stepsOfAnUndoAreNotRecorded() {
        stack.push(new UndoStack.Step("outer", () -> push("inner"), () -> {}));
        stack.undo();
        assertThat(stack.toUndo().get()).isEmpty();
        assertThat(stack.toRedo().get()).isEqualTo("outer");
    }

    private void push(String label) {
        stack.push(new UndoStack.Step(label, () -> did.add("undo " + label), () -> did.add("redo " + label)));
    }
}
