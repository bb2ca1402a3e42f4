/// The Timeline view: the steps of a run, the requests in them, and why.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.timeline;
