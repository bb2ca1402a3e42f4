/// Compares cells and results: tables, intervals, verdicts, gate.
@org.jspecify.annotations.NullMarked
package org.inferometer.report.compare;
