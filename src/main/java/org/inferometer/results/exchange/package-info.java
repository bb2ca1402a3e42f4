/// Other tools' result files, in and out.
@org.jspecify.annotations.NullMarked
package org.inferometer.results.exchange;
