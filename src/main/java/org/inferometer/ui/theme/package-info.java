/// Theme and style classes.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.theme;
