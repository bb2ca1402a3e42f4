/// The window: rail, top bar, status bar, and which view is shown.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.shell;
