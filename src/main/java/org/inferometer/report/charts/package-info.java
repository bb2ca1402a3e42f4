/// Records to chart data.
@org.jspecify.annotations.NullMarked
package org.inferometer.report.charts;
