// All kernels as one module.
#include "elementwise.cu"
