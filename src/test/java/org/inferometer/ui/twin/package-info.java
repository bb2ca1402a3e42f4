/// Twins of the desktop's collaborators, for tests without engines or disks.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.twin;
