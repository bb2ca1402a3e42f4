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
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.units.EnvironmentVariables;
import org.jspecify.annotations.Nullable;

/// What test configurations run on, and how often. Belongs to the UI thread.
///
/// @param environment variables that replace fields of a test
/// @param kind of platform
/// @param engines to choose from
/// @param engine that tests run on; null for none
/// @param target server that tests run on, as on the command line
/// @param runs repetitions of each load of a test configuration
record PlatformViewModel(EnvironmentVariables environment, ObjectProperty<Kind> kind, ObservableList<String> engines,
        ObjectProperty<@Nullable String> engine, StringProperty target, ObjectProperty<Integer> runs) {
    private static final int WARM_UP = 4;
    private static final long SEED = 42;

    /// Kinds of platforms.
    enum Kind {
        ENGINE, SERVER, TRTLLM
    }

    PlatformViewModel(EnvironmentVariables environment) {
        this(environment, new SimpleObjectProperty<>(Kind.ENGINE), FXCollections.observableArrayList(),
                new SimpleObjectProperty<>(), new SimpleStringProperty("http:url=http://127.0.0.1:8000"),
                new SimpleObjectProperty<>(1));
    }

    /// Replaces the engines; the chosen one stays if it is among them.
    void offer(List<String> names) {
        String before = engine.get();
        engines.setAll(names);
        engine.set(before != null && names.contains(before) ? before : names.isEmpty() ? null : names.getFirst());
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
