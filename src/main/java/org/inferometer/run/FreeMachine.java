package org.inferometer.run;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Waits until no other experiment occupies the machine of a service.
public final class FreeMachine {
    private static final long LOOK_MILLIS = 500;

    private FreeMachine() {}

    /// Returns when the machine is free, or waiting is over.
    ///
    /// @param waiting called once with the reason if it has to wait
    /// @param goesOn asked twice a second
    /// @return the reason why the machine is not free; empty if it is
    public static Optional<String> await(BenchmarkService service, Consumer<String> waiting, BooleanSupplier goesOn)
            throws InterruptedException {
        Optional<String> busy = service.busy();
        busy.ifPresent(waiting);
        while (busy.isPresent() && goesOn.getAsBoolean()) {
            Thread.sleep(LOOK_MILLIS);
            busy = service.busy();
        }
        return busy;
    }
}
