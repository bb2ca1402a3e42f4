/// Products of activation rows with matrices: which kernel or library multiplies how many rows; oneDNN through the foreign
/// function interface.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.products;
