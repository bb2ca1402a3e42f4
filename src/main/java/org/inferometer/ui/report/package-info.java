/// The Report view: sections, title and notes of a report, a preview of its pages, and exports.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.report;
