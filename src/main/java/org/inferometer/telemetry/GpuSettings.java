package org.inferometer.telemetry;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// Settings and connection of a GPU, constant during a run. They are read, never changed.
///
/// Each is absent if the driver does not report it.
///
/// @param busId place on the PCI bus: "00000000:3B:00.0"
/// @param pcie generation and lanes of the link now, which an idle card lowers
/// @param pcieMost the fastest link of card and slot
/// @param ecc whether memory errors are corrected
/// @param mig whether MIG is on
/// @param persistence whether the driver stays loaded while the card is unused
/// @param display whether a display is drawn on it
/// @param defaultPowerLimitWatts the manufacturer's limit
/// @param mostSmClockMegahertz highest clock of the multiprocessors
/// @param mostMemoryClockMegahertz highest clock of the memory
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GpuSettings(@Nullable String busId, @Nullable PcieLink pcie, @Nullable PcieLink pcieMost,
        @Nullable Boolean ecc, @Nullable Boolean mig, @Nullable Boolean persistence, @Nullable Boolean display,
        @Nullable Double defaultPowerLimitWatts, @Nullable Double mostSmClockMegahertz,
        @Nullable Double mostMemoryClockMegahertz) {
    /// Nothing is reported.
    public static final GpuSettings UNKNOWN =
            new GpuSettings(null, null, null, null, null, null, null, null, null, null);

    /// A PCI Express link.
    ///
    /// @param generation 1 to 7
    /// @param lanes 1 to 32
    public record PcieLink(int generation, int lanes) {
        /// "PCIe 5.0 x16".
        public String label() {
            return "PCIe " + generation + ".0 x" + lanes;
        }

        /// The link; empty if a number is impossible.
        static @Nullable PcieLink of(double generation, double lanes) {
            return generation >= 1 && generation <= 15 && lanes >= 1 && lanes <= 64
                    ? new PcieLink((int) generation, (int) lanes) : null;
        }
    }
}
