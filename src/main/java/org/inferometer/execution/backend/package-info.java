/// Parts shared by all backends: lanes as threads, checks of models and steps, division of pools into blocks.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.backend;
