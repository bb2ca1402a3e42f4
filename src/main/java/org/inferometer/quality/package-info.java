/// How far an engine's predictions are from another's on the same text.
@org.jspecify.annotations.NullMarked
package org.inferometer.quality;
