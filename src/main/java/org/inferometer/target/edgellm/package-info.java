/// TensorRT-Edge-LLM as a target of a benchmark: its command-line tools run as processes, and what they write is read.
@org.jspecify.annotations.NullMarked
package org.inferometer.target.edgellm;
