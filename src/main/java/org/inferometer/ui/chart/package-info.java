/// Charts on screen: drawing, crosshair, legend, zoom, table and export.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.chart;
