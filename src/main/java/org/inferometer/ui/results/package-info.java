/// The Results view: the runs of this and earlier days.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.results;
