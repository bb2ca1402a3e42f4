/// The bridge between background work and the JavaFX thread.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.fx;
