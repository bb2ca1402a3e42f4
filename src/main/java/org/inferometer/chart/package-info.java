/// Chart data drawn by JFreeChart, to PNG, without a screen.
@org.jspecify.annotations.NullMarked
package org.inferometer.chart;
