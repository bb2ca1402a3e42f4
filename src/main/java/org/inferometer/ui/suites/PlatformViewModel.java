package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.options.Selection;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestPlatform;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.units.EnvironmentVariables;
import org.jspecify.annotations.Nullable;

/// What test configurations run on, and how often. Belongs to the UI thread.
final class PlatformViewModel {
    private static final int WARM_UP = 4;
    private static final long SEED = 42;

    private final EnvironmentVariables environment;
    private final ObservableList<String> engines = FXCollections.observableArrayList();
    private final ObjectProperty<Kind> kind = new SimpleObjectProperty<>(Kind.ENGINE);
    private final ObjectProperty<@Nullable String> engine = new SimpleObjectProperty<>();
    private final StringProperty target = new SimpleStringProperty("http:url=http://127.0.0.1:8000");
    private final ObjectProperty<Integer> runs = new SimpleObjectProperty<>(1);

    /// Kinds of platforms.
    enum Kind {
        ENGINE, SERVER, TRTLLM
    }

    /// @param environment variables that replace fields of a test
    PlatformViewModel(EnvironmentVariables environment) {
        this.environment = environment;
    }

    /// What kind of platform.
    ObjectProperty<Kind> kind() {
        return kind;
    }

    /// Engines to choose from.
    ObservableList<String> engines() {
        return engines;
    }

    /// Replaces the engines; the chosen one stays if it is among them.
    void offer(List<String> names) {
        String before = engine.get();
        engines.setAll(names);
        engine.set(before != null && names.contains(before) ? before : names.isEmpty() ? null : names.getFirst());
    }

    /// The engine that tests run on; null for none.
    ObjectProperty<@Nullable String> engine() {
        return engine;
    }

    /// The server that tests run on, as on the command line.
    StringProperty target() {
        return target;
    }

    /// Repetitions of each load of a test configuration.
    ObjectProperty<Integer> runs() {
        return runs;
    }

    /// How tests become experiments; empty without an engine or server.
    Optional<TestMapping> mapping() {
        String name = engine.get();
        Optional<TestPlatform> platform = switch (kind.get()) {
            case ENGINE -> Optional.ofNullable(name).map(each -> new OwnEngine(each, Selection.of("host")));
            case SERVER -> selection(target.get()).map(Endpoint::new);
            case TRTLLM -> Optional.of(new TrtllmServers(environment));
        };
        return platform.map(chosen -> new TestMapping(chosen, new Measuring(runs.get(), WARM_UP, SEED)));
    }

    private static Optional<Selection> selection(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Selection.parse(text.strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Why there is no mapping; empty if there is.
    String lacking() {
        return mapping().isPresent() ? "" : text(kind.get() == Kind.SERVER ? "suites.no-server" : "suites.no-engine");
    }
}
