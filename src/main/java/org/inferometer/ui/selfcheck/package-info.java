/// Measures the window against its goals, in a process of its own.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.selfcheck;
