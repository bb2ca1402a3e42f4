/// Products of activation rows with matrices: which kernel or library multiplies how many rows, and how fast.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.products;
