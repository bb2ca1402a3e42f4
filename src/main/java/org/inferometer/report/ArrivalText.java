package org.inferometer.report;

import org.inferometer.experiment.FieldType;
import org.inferometer.workload.ArrivalProcess;

/// Arrivals in the words of the designer: "Poisson, 16 req/s", "Closed loop, 8 in flight".
public final class ArrivalText {
    private ArrivalText() {}

    /// Name and strength of an arrival process.
    public static String of(ArrivalProcess arrivals) {
        return switch (arrivals) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> "Closed loop, " + concurrency + " in flight";
            case ArrivalProcess.Constant(double rate) -> "Constant, " + perSecond(rate);
            case ArrivalProcess.Poisson(double rate) -> "Poisson, " + perSecond(rate);
            case ArrivalProcess.Gamma(double rate, double burstiness) ->
                "Gamma, " + perSecond(rate) + ", burstiness " + FieldType.plain(burstiness);
            case ArrivalProcess.Ramp(double from, double to, double seconds, var gaps) ->
                "Ramp, " + FieldType.plain(from) + " to " + perSecond(to) + " in " + FieldType.plain(seconds) + " s"
                        + (gaps == ArrivalProcess.Ramp.Gaps.CONSTANT ? ", even gaps" : "");
            case ArrivalProcess.Trace(double speed) ->
                speed == 1 ? "Trace" : "Trace, " + FieldType.plain(speed) + "× speed";
            case ArrivalProcess.Offline() -> "Offline";
        };
    }

    private static String perSecond(double rate) {
        return FieldType.plain(rate) + " req/s";
    }
}
