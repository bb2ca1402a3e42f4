package org.inferometer.ui.engines;

import java.nio.file.Path;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.engine.Engine;
import org.inferometer.engine.TensorStatistics;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// The values of one weight of a built engine. Belongs to the UI thread.
final class TensorValuesModel {
    private final LatestWork work;
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<@Nullable Values> values = new ReadOnlyObjectWrapper<>();

    /// @param weight that was read
    record Values(String weight, TensorStatistics statistics) {}

    TensorValuesModel(BackgroundWork work) {
        this.work = new LatestWork(work);
    }

    /// Whether values are being read.
    ReadOnlyBooleanProperty reading() {
        return work.running();
    }

    /// Why they could not be read; empty otherwise.
    ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// What was read last; null for nothing.
    ReadOnlyObjectProperty<@Nullable Values> values() {
        return values.getReadOnlyProperty();
    }

    /// Forgets what was read, and what is being read.
    void clear() {
        work.cancel();
        problem.set("");
        values.set(null);
    }

    /// Reads a weight.
    ///
    /// @param engine folder of a built engine
    void read(Path engine, String weight) {
        clear();
        work.run(WindowWork.TENSOR_VALUES, () -> statistics(engine, weight),
                found -> found.ifPresent(statistics -> values.set(new Values(weight, statistics))),
                failure -> problem.set(ErrorText.sentence(failure)));
    }

    private static Optional<TensorStatistics> statistics(Path engine, String weight) throws Exception {
        try (Engine opened = Engine.open(engine)) {
            return TensorStatistics.of(opened, weight);
        }
    }
}
