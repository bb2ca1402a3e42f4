/// The designer: the form of an experiment, and an estimate of what it will take.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.designer;
