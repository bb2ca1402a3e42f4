package org.inferometer.record;

import java.util.ArrayList;
import java.util.List;

/// NVML's reasons for reduced clocks (`nvmlClocksEventReason*` of nvml.h).
public final class ThrottleReasons {
    private static final long IDLE = 0x1;
    private static final long SET_CLOCKS = 0x2;
    private static final long SOFTWARE_POWER_CAP = 0x4;
    private static final long HARDWARE_SLOWDOWN = 0x8;
    private static final long SOFTWARE_THERMAL = 0x20;
    private static final long HARDWARE_THERMAL = 0x40;
    private static final long POWER_BRAKE = 0x80;

    private ThrottleReasons() {}

    /// Whether heat reduces the clocks; false without a reading (NaN).
    public static boolean thermal(double reasons) {
        return ((long) reasons & (HARDWARE_SLOWDOWN | SOFTWARE_THERMAL | HARDWARE_THERMAL)) != 0;
    }

    /// Whether the card has nothing to do and therefore a low clock.
    public static boolean idle(double reasons) {
        return ((long) reasons & IDLE) != 0;
    }

    /// Whether fixed clocks are set.
    public static boolean set(double reasons) {
        return ((long) reasons & SET_CLOCKS) != 0;
    }

    /// Labels of the reasons that slow a run down; idle and fixed clocks are excluded.
    public static List<String> labels(double reasons) {
        long bits = (long) reasons;
        List<String> labels = new ArrayList<>();
        if ((bits & SOFTWARE_POWER_CAP) != 0) {
            labels.add("power limit");
        }
        if ((bits & HARDWARE_SLOWDOWN) != 0) {
            labels.add("hardware slowdown");
        }
        if ((bits & SOFTWARE_THERMAL) != 0) {
            labels.add("temperature (driver)");
        }
        if ((bits & HARDWARE_THERMAL) != 0) {
            labels.add("temperature (hardware)");
        }
        if ((bits & POWER_BRAKE) != 0) {
            labels.add("power brake");
        }
        return List.copyOf(labels);
    }
}
