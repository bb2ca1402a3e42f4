/// TensorRT-Edge-LLM as a target: runs its command-line tools as processes and reads their results.
@org.jspecify.annotations.NullMarked
package org.inferometer.target.edgellm;
