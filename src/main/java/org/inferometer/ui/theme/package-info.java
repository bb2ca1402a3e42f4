/// Colours, type and spacing as tokens, light and dark.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.theme;
