package org.inferometer.ui.fx;

/// How many rows of a pixel JavaFX's software renderer looks at for the edges of shapes.
///
/// Edges are most of what live charts cost. Four rows in place of eight take half the time for them; columns stay 256.
public final class SoftwareRendering {
    private static final String PROPERTY = "prism.marlin.subPixel_log2_Y";
    private static final String FOUR = "2";

    private SoftwareRendering() {}

    /// Asks for four, unless the user asked for another number. Called before JavaFX starts.
    public static void halveEdgeSampling() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, FOUR);
        }
    }
}
