/// The sentences about findings, each made in one place. Nothing reads a sentence back.
@org.jspecify.annotations.NullMarked
package org.inferometer.wording;
