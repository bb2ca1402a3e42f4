/// How y = W·x is computed: by own kernels, by those of warpgroups, by cuBLASLt.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.products;
