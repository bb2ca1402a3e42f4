package org.inferometer.run;

import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Executor;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// A backend named "host" whose executor computes nothing. Its only option is `lanes`; every lane that computes has one thread.
public class InstantBackend implements Backend {
    @Override
    public String name() {
        return "host";
    }

    @Override
    public List<OptionDescription> options() {
        return List.of();
    }

    @Override
    public String summary() {
        return "Answers at once.";
    }

    @Override
    public String label() {
        return "Instant";
    }

    @Override
    public List<String> faults(Selection selection) {
        return selection.options().keySet().stream().filter(word -> !word.equals("lanes"))
                .map(word -> "host does not know \"" + word + "\".").toList();
    }

    @Override
    public long kvBytesPerToken(ModelShape shape, Selection selection) {
        return 64;
    }

    @Override
    public int blockTokens(Selection selection) {
        return 16;
    }

    @Override
    public long deviceMemoryBytes(Selection selection) {
        return 8L << 30;
    }

    @Override
    public int lanes(Selection selection) {
        return Integer.parseInt(selection.options().getOrDefault("lanes", "0"));
    }

    @Override
    public Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes,
            Clock clock) {
        return new InstantExecutor(clock, layout, kvBytes);
    }

    @Override
    public List<Integer> threads(Selection selection, LaneLayout layout) {
        return layout.lanes().stream().map(lane -> lane.role() == Lane.Role.TRANSFER ? 0 : 1).toList();
    }
}
