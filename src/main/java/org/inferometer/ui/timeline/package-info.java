/// The Timeline view: steps and requests of a run over time, with the reasons of the scheduler.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.timeline;
