package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.fx.UndoStack;

/// Makes every change of the designer's experiment, and deletions of presets, steps that can be taken back.
final class DesignerUndo {
    DesignerUndo(DesignerViewModel designer, UndoStack undo) {
        designer.presets().remember(undo);
        designer.edited().addListener((observed, before, now) -> {
            if (before != null && now != null) {
                undo.push(step(designer, before, now));
            }
        });
    }

    private static UndoStack.Step step(DesignerViewModel designer, ExperimentSpec before, ExperimentSpec now) {
        return new UndoStack.Step(text("undo.designer"), () -> designer.load(before), () -> designer.load(now));
    }
}
