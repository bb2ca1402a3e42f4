/// The Results view: list, details, comparison, import and export of results.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.results;
