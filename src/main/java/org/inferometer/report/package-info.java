/// From records to findings, comparisons, tables and chart data, as Markdown, HTML, text, CSV and JSON.
@org.jspecify.annotations.NullMarked
package org.inferometer.report;
