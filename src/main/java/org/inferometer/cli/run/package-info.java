/// The commands run and worker.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.run;
