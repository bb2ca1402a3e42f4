/// What every backend needs beside its kernels: lanes as threads, checks before anything is touched, pools cut to blocks.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.backend;
