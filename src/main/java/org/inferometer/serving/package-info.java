/// The engine loop: state of all requests, KV block pools, and one writer; live and in virtual time.
@org.jspecify.annotations.NullMarked
package org.inferometer.serving;
