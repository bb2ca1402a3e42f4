/// Import and export of other tools' result files.
@org.jspecify.annotations.NullMarked
package org.inferometer.results.exchange;
