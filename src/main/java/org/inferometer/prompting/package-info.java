/// One answer of a model to one prompt, to try it; nothing is measured.
@org.jspecify.annotations.NullMarked
package org.inferometer.prompting;
