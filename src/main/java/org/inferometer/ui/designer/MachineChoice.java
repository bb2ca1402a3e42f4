package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ChangeListener;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import org.inferometer.options.Selection;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteMachine.OfferedBackend;
import org.inferometer.run.BenchmarkService;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.machines.OtherMachines.OtherMachine.State;
import org.inferometer.units.ShellWord;
import org.jspecify.annotations.Nullable;

/// Where the experiment of the form runs: on this machine, or on another. Belongs to the UI thread.
public final class MachineChoice {
    private final DesignerServices services;
    private final @Nullable OtherMachines others;
    private final ObservableList<OtherMachine> known;
    private final ReadOnlyObjectWrapper<@Nullable OtherMachine> chosen = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyStringWrapper message = new ReadOnlyStringWrapper("");
    private final ChangeListener<State> followed = (observed, before, now) -> changed(now);
    private Consumer<Optional<RemoteMachine>> offered = offer -> {};

    /// @param others absent where only this machine is there
    MachineChoice(DesignerServices services, @Nullable OtherMachines others) {
        this.services = services;
        this.others = others;
        this.known = others == null ? FXCollections.observableArrayList() : others.all();
        known.addListener((ListChangeListener<OtherMachine>) change -> {
            OtherMachine machine = chosen.get();
            if (machine != null && !known.contains(machine)) {
                choose(null);
            }
        });
    }

    /// Notifies one listener when the chosen machine says what it has; empty for this machine.
    public void onOffer(Consumer<Optional<RemoteMachine>> listener) {
        offered = listener;
    }

    /// The other machines.
    ObservableList<OtherMachine> known() {
        return known;
    }

    /// The chosen machine; null for this one.
    public ReadOnlyObjectProperty<@Nullable OtherMachine> chosen() {
        return chosen.getReadOnlyProperty();
    }

    /// What keeps the other machine from being used; empty for this machine.
    ReadOnlyStringProperty message() {
        return message.getReadOnlyProperty();
    }

    /// Chooses a machine and asks it what it has.
    ///
    /// @param machine null for this one
    public void choose(@Nullable OtherMachine machine) {
        OtherMachine before = chosen.get();
        if (before == machine) {
            return;
        }
        if (before != null) {
            before.state().removeListener(followed);
        }
        chosen.set(machine);
        if (machine == null) {
            message.set("");
            offered.accept(Optional.empty());
            return;
        }
        machine.state().addListener(followed);
        changed(machine.state().get());
        if (others != null && !(machine.state().get() instanceof State.Ready)) {
            others.ask(machine);
        }
    }

    /// The chosen machine as `--on` takes it; empty for this one.
    public String written() {
        OtherMachine machine = chosen.get();
        return machine == null ? "" : machine.written();
    }

    /// Chooses a machine by how it is written and asks it; one that is not among the machines is left alone.
    void chooseWritten(String written) {
        known.stream().filter(machine -> machine.written().equals(written)).findFirst().ifPresent(this::choose);
    }

    /// Asks the chosen machine again, whose engines may have changed.
    public void refresh() {
        OtherMachine machine = chosen.get();
        if (machine != null && others != null) {
            others.ask(machine);
        }
    }

    private void changed(State now) {
        OtherMachine machine = chosen.get();
        String name = machine == null ? "" : machine.label();
        message.set(switch (now) {
            case State.NotAsked() -> text("designer.machine-asking", name);
            case State.Asking() -> text("designer.machine-asking", name);
            case State.Ready ready -> "";
            case State.Unreachable(String why) -> why;
        });
        if (now instanceof State.Ready(RemoteMachine offer)) {
            offered.accept(Optional.of(offer));
        }
    }

    /// The service of the chosen machine.
    public BenchmarkService benchmarks() {
        OtherMachine machine = chosen.get();
        return machine == null || others == null ? services.benchmarks() : others.benchmarks(machine);
    }

    /// The option of the command line that chooses the machine, with a space before it; empty for this one.
    String option() {
        return written().isEmpty() ? "" : " --on " + ShellWord.quoted(written());
    }

    /// The end of a line that says what runs; empty for this machine.
    String words() {
        OtherMachine machine = chosen.get();
        return machine == null ? "" : text("designer.on-machine", machine.label());
    }

    /// Backends of this machine, or of an offer, and all targets.
    List<BackendChoice> backends(Optional<RemoteMachine> offer) {
        if (offer.isEmpty()) {
            return services.backends();
        }
        List<BackendChoice> there = new ArrayList<>();
        for (OfferedBackend backend : offer.get().backends()) {
            if (backend.usable()) {
                there.add(new BackendChoice(Selection.of(backend.name()), backend.label(),
                        services.backendOptions().getOrDefault(backend.name(), List.of()), false));
            }
        }
        services.backends().stream().filter(BackendChoice::outside).forEach(there::add);
        return there;
    }
}
