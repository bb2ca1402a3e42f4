package org.inferometer.run.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunEvent.Gauge;
import org.inferometer.record.ServerIdentity;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.target.TargetListener;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.units.Clock;
import org.inferometer.units.QuantityText;
import org.inferometer.units.ThreadEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// A target whose server was started for the run: its processes are sampled, and its end ends the run.
public final class WatchedServer implements Target {
    private static final long LEAST_EVERY_NANOS = 100_000_000;
    /// A look through all processes of the machine, so not at every sample.
    private static final long LOOK_EVERY_NANOS = 2_000_000_000;
    /// A count of repeated pages holds up the server that it counts: at most a hundredth of the time.
    private static final long LEAST_PAUSE = 100;

    private final Target target;
    private final StartedServer server;
    private final ServerProcesses processes;
    private final Clock clock;
    private final TargetListener events;
    private final UnaryOperator<String> mask;
    private final long everyNanos;
    private final Thread thread = new Thread(this::watch, "server-watch");
    private volatile boolean closing;
    private boolean reported; // under this object's monitor

    private WatchedServer(Target target, StartedServer server, TargetSetup setup, UnaryOperator<String> mask) {
        this.target = target;
        this.server = server;
        this.processes = ServerProcesses.of(server.pid(), server.keeper());
        this.clock = setup.clock();
        this.events = setup.events();
        this.mask = mask;
        this.everyNanos = Math.max(LEAST_EVERY_NANOS, setup.sampleEveryMillis() * 1_000_000);
        this.thread.setDaemon(true);
    }

    /// Begins to watch.
    ///
    /// @param mask removes secrets from lines of the server's log
    public static Target of(Target target, StartedServer server, TargetSetup setup, UnaryOperator<String> mask) {
        WatchedServer watched = new WatchedServer(target, server, setup, mask);
        watched.events.message(watched.clock.nanos(), watched.introduction());
        watched.thread.start();
        return watched;
    }

    /// "Started: vllm serve m --port 4012; ready after 34.2 s."
    private String introduction() {
        String command = mask.apply(String.join(" ", server.command()));
        return server.runsBefore() == 0
                ? "Started for this run: " + command + "; ready after " + QuantityText.latency(server.startNanos())
                        + "."
                : "Started for an earlier run and kept: " + command + "; runs before this one: " + server.runsBefore()
                        + ".";
    }

    @Override
    public String description() {
        return target.description();
    }

    @Override
    public Optional<ServerIdentity> server() {
        return target.server();
    }

    @Override
    public void send(Request request) {
        target.send(request);
    }

    @Override
    public void cancel(RequestId request) {
        target.cancel(request);
    }

    @Override
    public void arrivalsEnded() {
        target.arrivalsEnded();
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread);
        // Requests that fail at once can end the run before the next look.
        reportEnd();
        target.close();
    }

    private void watch() {
        try (ServerGpuMemory gpus = ServerGpuMemory.open(new GpuAccess())) {
            watch(gpus);
        }
    }

    private void watch(ServerGpuMemory gpus) {
        Map<Long, Long> members = Map.of();
        long countedUntil = Long.MIN_VALUE;
        long looked = Long.MIN_VALUE;
        long lastNanos = 0;
        long lastCpu = -1;
        long next = clock.nanos();
        while (!closing) {
            long now = clock.nanos();
            if (server.processesAreHere() && (looked == Long.MIN_VALUE || now - looked >= LOOK_EVERY_NANOS)) {
                Set<Long> living = processes.living();
                looked = now;
                if (now >= countedUntil) {
                    members = ProcessTable.repeatedBytes(living);
                    countedUntil = clock.nanos() + (clock.nanos() - now) * LEAST_PAUSE;
                }
                gpus.bytes(living).ifPresent(bytes -> events.gauge(now, Gauge.SERVER_GPU_MEMORY, bytes));
            }
            Optional<ProcessTable.Usage> usage = ProcessTable.usage(members);
            if (usage.isPresent()) {
                long cpu = usage.get().cpuNanos();
                events.gauge(now, Gauge.SERVER_MEMORY, usage.get().memoryBytes());
                // A process that ended takes its time with it until its parent has collected it.
                if (lastCpu >= 0 && cpu >= lastCpu && now > lastNanos) {
                    events.gauge(now, "server:cpu_cores", (cpu - lastCpu) / (double) (now - lastNanos));
                }
                lastCpu = cpu;
                lastNanos = now;
            }
            if (reportEnd()) {
                return;
            }
            next = Math.max(next + everyNanos, now);
            for (long left = next - clock.nanos(); left > 0 && !closing; left = next - clock.nanos()) {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    /// Whether the server has ended, which is reported once.
    private synchronized boolean reportEnd() {
        if (!reported && !processes.isLeaderAlive()) {
            reported = true;
            events.unusable(clock.nanos(), ended());
        }
        return reported;
    }

    private String ended() {
        return "The server ended while it was measured"
                + mask.apply(ServerLog.ending(Path.of(server.log()), server.logFrom()).describe()) + ". See "
                + RecordFiles.SERVER_LOG + ".";
    }
}
