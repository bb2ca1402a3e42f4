/// Hugging Face checkpoints: their configuration, tensors and values.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.checkpoint;
