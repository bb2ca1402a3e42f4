/// The Engines view: engines of the workspace and the program, what they hold and need, building and verifying them.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.engines;
