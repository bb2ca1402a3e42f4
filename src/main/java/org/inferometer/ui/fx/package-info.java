/// Shared parts of the views: controls, charts, dialogs, timers and background work.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.fx;
