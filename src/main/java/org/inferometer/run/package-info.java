/// Plans runs, executes them in worker processes and repeats them.
@org.jspecify.annotations.NullMarked
package org.inferometer.run;
