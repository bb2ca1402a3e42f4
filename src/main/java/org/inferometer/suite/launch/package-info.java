/// Launches of TensorRT-LLM's disaggregated serving: the files, the placement and the job of a test.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.launch;
