/// Judges runs, experiments and loads: conditions, precision, SLO.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement.verdict;
