/// oneDNN through the foreign function interface, and the products of many rows that it computes.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.onednn;
