/// Specified experiments: subjects, presets, sweeps, and the table of their fields.
@org.jspecify.annotations.NullMarked
package org.inferometer.experiment;
