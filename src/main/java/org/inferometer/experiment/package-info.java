/// What a person asks for: specification, subjects, presets, sweeps.
@org.jspecify.annotations.NullMarked
package org.inferometer.experiment;
