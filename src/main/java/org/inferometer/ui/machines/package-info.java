/// Other machines that experiments can run on, and the Slurm cluster that this machine submits to.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.machines;
