package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.run.WorkerFrame;

/// The live frames of one run, bounded: when full, every second frame is dropped. Counters are cumulative, so only
/// resolution is lost; a dropped lateness goes to the next frame.
///
/// Not thread-safe; [LiveRecorder] guards it.
final class FrameTrack {
    private final int capacity;
    private final List<WorkerFrame.Live> frames = new ArrayList<>();
    private int stride = 1;
    private long seen;
    private long skippedLateNanos = -1;

    FrameTrack(int capacity) {
        this.capacity = capacity;
    }

    void add(WorkerFrame.Live frame) {
        if (seen++ % stride != 0) {
            skippedLateNanos = Math.max(skippedLateNanos, frame.lateNanos());
            return;
        }
        frames.add(frame.lateAtLeast(skippedLateNanos));
        skippedLateNanos = -1;
        if (frames.size() >= capacity) {
            List<WorkerFrame.Live> kept = new ArrayList<>();
            for (int i = 0; i < frames.size(); i += 2) {
                kept.add(i == 0 ? frames.get(i) : frames.get(i).lateAtLeast(frames.get(i - 1).lateNanos()));
            }
            if (frames.size() % 2 == 0) {
                skippedLateNanos = frames.getLast().lateNanos();
            }
            frames.clear();
            frames.addAll(kept);
            stride *= 2;
        }
    }

    /// At most so many frames at equal distances, with the last.
    static List<WorkerFrame.Live> thinned(List<WorkerFrame.Live> frames, int most) {
        int stride = Math.max(1, (frames.size() + most - 2) / Math.max(1, most - 1));
        List<WorkerFrame.Live> kept = new ArrayList<>();
        for (int i = 0; i < frames.size() - 1; i += stride) {
            kept.add(frames.get(i));
        }
        if (!frames.isEmpty()) {
            kept.add(frames.getLast());
        }
        return List.copyOf(kept);
    }

    void clear() {
        frames.clear();
        stride = 1;
        seen = 0;
        skippedLateNanos = -1;
    }

    List<WorkerFrame.Live> frames() {
        return List.copyOf(frames);
    }
}
