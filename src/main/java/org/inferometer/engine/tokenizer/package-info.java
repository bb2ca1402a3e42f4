/// Text to tokens and back.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.tokenizer;
