/// Test configurations of TensorRT-LLM's benchmark framework for disaggregated and aggregated serving: their fields and rules.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.serving;
