/// The loop that serves an engine: ledger, mailbox and KV pools, with one writer.
@org.jspecify.annotations.NullMarked
package org.inferometer.serving;
