/// The designer: the form in which an experiment is described, and what it will take.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.designer;
