/// How steps are computed on a GPU: executors, lanes on streams, the forward pass; weights and the KV cache on the device;
/// products by own kernels, by those of warpgroups and by cuBLASLt; attention and sampling.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.steps;
