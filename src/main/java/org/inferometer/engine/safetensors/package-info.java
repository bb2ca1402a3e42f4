/// The safetensors format: header, layout, mapped file.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.safetensors;
