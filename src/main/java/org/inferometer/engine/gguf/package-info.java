/// GGUF files: header, metadata, and tensors in their block formats.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.gguf;
