/// Records to the timeline of a run: lanes, steps, requests, counters.
@org.jspecify.annotations.NullMarked
package org.inferometer.report.timeline;
