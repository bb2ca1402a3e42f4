/// What a result says, as typed values: differences between sides, cautions, reasons. Ids and quantities, no sentences.
@org.jspecify.annotations.NullMarked
package org.inferometer.finding;
