package org.inferometer.telemetry;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.jspecify.annotations.Nullable;

/// Reads one NVIDIA GPU, through the management library or, where that cannot be loaded, through nvidia-smi.
///
/// One thread at a time, but for the processes, which another may ask meanwhile; its opener closes it. What a card does not tell is NaN in [GpuSample] and empty elsewhere, never zero.
/// "Utilisation" is the share of the driver's last sampling period, a sixth of a second to a second, in which any kernel ran; it does
/// not say how full the multiprocessors were.
public sealed interface GpuMonitor extends AutoCloseable permits NvmlMonitor, SmiMonitor {
    /// What it is and how it is set, asked anew.
    GpuDescription description();

    /// All readings of now, or the latest that are known where they come from nvidia-smi.
    GpuSample read();

    /// Processes that compute on the card now; empty where the driver does not tell. In a container it may tell of none.
    Optional<List<GpuProcess>> processes();

    /// As [#processes], but asked at this moment, whatever was told before; takes up to seconds through nvidia-smi.
    default Optional<List<GpuProcess>> processesAnew() {
        return processes();
    }

    /// Whether readings come from nvidia-smi, which a thread of its own hears and which tells something new twice a second.
    default boolean readThroughTool() {
        return false;
    }

    @Override
    void close();

    /// A process that computes on the card.
    ///
    /// @param pid as the host numbers it, which differs inside a container
    /// @param usedBytes absent where the driver does not tell
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GpuProcess(long pid, @Nullable Long usedBytes) {
        /// Memory of the card that the process holds.
        public Optional<Long> used() {
            return Optional.ofNullable(usedBytes);
        }
    }
}
