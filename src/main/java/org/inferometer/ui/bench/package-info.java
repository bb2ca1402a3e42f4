/// The Bench view: welcome panel, live charts and result card.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.bench;
