/// Jobs on a Slurm cluster: submission, states, waiting, and a file of the submitted jobs. Knows no tests.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.slurm;
