/// The window: menu, rail, top bar, status line and notifications.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.shell;
