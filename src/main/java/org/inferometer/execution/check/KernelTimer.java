package org.inferometer.execution.check;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.ReleaseStack;

/// Times kernels on a stream of its own by events: many launches recorded as one graph, or many calls in a row. Used by one
/// thread with the device's context current.
final class KernelTimer implements AutoCloseable {
    private final int rounds;
    private final ReleaseStack held = new ReleaseStack();
    private final DeviceStream stream;
    private final DeviceStream.Event begun;
    private final DeviceStream.Event ended;
    private final List<DeviceStream.Event> awaited; // of a graph and of the one behind it

    /// @param rounds timed rounds after an untimed one; the fastest counts
    KernelTimer(int rounds) {
        this.rounds = rounds;
        try {
            stream = held.taken(new DeviceStream(0), DeviceStream::close);
            begun = event();
            ended = event();
            awaited = List.of(event(), event());
        } catch (RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    private DeviceStream.Event event() {
        return held.taken(new DeviceStream.Event(), DeviceStream.Event::close);
    }

    /// Seconds of one launch, with its share of the pauses between launches.
    ///
    /// @param launches at least; each of the operands has as many or one more
    /// @param launch enqueues the launch of an operand
    <T> double secondsEach(int launches, List<T> operands, BiConsumer<DeviceStream, T> launch) {
        int count = Math.max(launches, operands.size());
        try (DeviceStream.Graph graph =
                record(count, (on, i) -> launch.accept(on, operands.get(i % operands.size())))) {
            return secondsOfAll(graph::launch) / count;
        }
    }

    /// The same of one kernel with the same operands.
    double secondsEach(int launches, Consumer<DeviceStream> launch) {
        return secondsEach(launches, List.of(launch), (on, each) -> each.accept(on));
    }

    /// Seconds from one graph of some launches to the next, if the host waits for each, as it waits for the tokens of a step.
    ///
    /// @param behind whether the next graph is in the queue while the host waits
    double secondsAwaited(int graphs, boolean behind, int launches, Consumer<DeviceStream> launch) {
        try (DeviceStream.Graph graph = record(launches, (on, _) -> launch.accept(on))) {
            return secondsOfAll(() -> {
                for (int i = 0; i < graphs; i++) {
                    graph.launch();
                    stream.record(awaited.get(i % 2));
                    // The other event is that of the graph before, or in the first turn of none.
                    awaited.get(behind ? 1 - i % 2 : i % 2).await();
                }
            }) / graphs;
        }
    }

    /// The same as [#secondsEach] without a graph, for calls of libraries. Short kernels wait for the CPU.
    ///
    /// @param call enqueues the call of an operand on [#stream]
    <T> double secondsEachQueued(int calls, List<T> operands, Consumer<T> call) {
        int count = Math.max(calls, operands.size());
        return secondsOfAll(() -> {
            for (int i = 0; i < count; i++) {
                call.accept(operands.get(i % operands.size()));
            }
        }) / count;
    }

    /// What is timed runs on it; ends with this timer.
    DeviceStream stream() {
        return stream;
    }

    private double secondsOfAll(Runnable work) {
        float best = Float.MAX_VALUE;
        float[] milliseconds = new float[1];
        for (int i = 0; i <= rounds; i++) {
            stream.record(begun);
            work.run();
            stream.record(ended);
            ended.await();
            float now = ended.millisecondsSince(begun, milliseconds);
            best = i == 0 ? best : Math.min(best, now);
        }
        return best / 1000.0;
    }

    private DeviceStream.Graph record(int launches, ObjIntConsumer<DeviceStream> launch) {
        return stream.graph(() -> {
            for (int i = 0; i < launches; i++) {
                launch.accept(stream, i);
            }
        });
    }

    /// Waits for its work.
    @Override
    public void close() {
        stream.drain();
        held.close();
    }
}
