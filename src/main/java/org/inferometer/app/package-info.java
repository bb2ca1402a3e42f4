/// Wiring by constructor, and main.
@org.jspecify.annotations.NullMarked
package org.inferometer.app;
