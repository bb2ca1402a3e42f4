/// Statistics of plain numbers: distributions, intervals, tests. Knows nothing of runs.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement.statistics;
