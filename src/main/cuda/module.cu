// All kernels as one module.
#include "elementwise.cu"
#include "matvec.cu"
#include "matmul.cu"
#include "attention_decode.cu"
#include "sampling.cu"
