/// A CUDA driver without a GPU: built with the C++ compiler of this machine, loaded in place of NVIDIA's. Tests of this
/// package run in a JVM of their own, since a library that is loaded stays.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.emulated;
