// All kernels in one module.
#include "packing.cu"
#include "elementwise.cu"
#include "matvec.cu"
#include "matmul.cu"
#include "library_product.cu"
#include "attention.cu"
#include "sampling.cu"
#include "rates.cu"
