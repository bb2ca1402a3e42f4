/// The Bench view: designer, live charts and result card.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.bench;
