package org.inferometer.selfcheck;

/// The length of a check of the window.
///
/// @param times repetitions; 0 for the default of the check
/// @param seconds duration of a measurement; 0 for the default of the check
/// @param requests requests of the generated result; 0 for the default of the check
public record WindowCheckOptions(int times, int seconds, int requests) {
    /// Every default.
    public static final WindowCheckOptions DEFAULTS = new WindowCheckOptions(0, 0, 0);

    /// The same with defaults in place of zeros.
    public WindowCheckOptions orElse(WindowCheckOptions usual) {
        return new WindowCheckOptions(times == 0 ? usual.times : times, seconds == 0 ? usual.seconds : seconds,
                requests == 0 ? usual.requests : requests);
    }
}
