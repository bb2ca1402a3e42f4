package org.inferometer.record;

import java.util.ArrayList;
import java.util.List;

/// The bits that NVML gives for clocks below what was asked (`nvmlClocksEventReason*` of nvml.h).
public final class ThrottleReasons {
    private static final long IDLE = 0x1;
    private static final long SET_CLOCKS = 0x2;
    private static final long SOFTWARE_POWER_CAP = 0x4;
    private static final long HARDWARE_SLOWDOWN = 0x8;
    private static final long SOFTWARE_THERMAL = 0x20;
    private static final long HARDWARE_THERMAL = 0x40;
    private static final long POWER_BRAKE = 0x80;

    private ThrottleReasons() {}

    /// Whether heat held the clocks down. A reading that does not exist (NaN) says no.
    public static boolean thermal(double reasons) {
        return ((long) reasons & (HARDWARE_SLOWDOWN | SOFTWARE_THERMAL | HARDWARE_THERMAL)) != 0;
    }

    /// Whether the card has nothing to do and therefore a low clock.
    public static boolean idle(double reasons) {
        return ((long) reasons & IDLE) != 0;
    }

    /// Whether somebody has set the clocks that it keeps to.
    public static boolean set(double reasons) {
        return ((long) reasons & SET_CLOCKS) != 0;
    }

    /// The reasons that slow a run down, in words; idling and clocks that somebody set are none.
    public static List<String> words(double reasons) {
        long bits = (long) reasons;
        List<String> words = new ArrayList<>();
        if ((bits & SOFTWARE_POWER_CAP) != 0) {
            words.add("power limit");
        }
        if ((bits & HARDWARE_SLOWDOWN) != 0) {
            words.add("hardware slowdown");
        }
        if ((bits & SOFTWARE_THERMAL) != 0) {
            words.add("temperature (driver)");
        }
        if ((bits & HARDWARE_THERMAL) != 0) {
            words.add("temperature (hardware)");
        }
        if ((bits & POWER_BRAKE) != 0) {
            words.add("power brake");
        }
        return List.copyOf(words);
    }
}
