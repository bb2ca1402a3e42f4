package org.inferometer.ui.engines;

import org.inferometer.quantising.CalibrationText;

/// The text that the scales of INT4 with AWQ are found with.
///
/// @param mostTokens of the text that the model reads
record CalibrationChoice(CalibrationText text, int mostTokens) {
    static final int STANDARD_TOKENS = 2048;
    static final int MOST_TOKENS = 1 << 20;

    /// The text of the program.
    static CalibrationChoice bundled() {
        return new CalibrationChoice(CalibrationText.bundled(), STANDARD_TOKENS);
    }
}
