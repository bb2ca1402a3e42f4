package org.inferometer.ui.bench;

import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/// One headline number: what it is, its value now, its unit, and what it rests on.
public final class KpiViewModel {
    private final String key;
    private final ReadOnlyStringWrapper value = new ReadOnlyStringWrapper("–");
    private final ReadOnlyStringWrapper unit = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper note = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper warmUp = new ReadOnlyBooleanWrapper();

    /// @param key names it in the message bundle
    public KpiViewModel(String key) {
        this.key = key;
    }

    /// Its name in the message bundle.
    public String key() {
        return key;
    }

    /// The number, or a dash before there is one.
    public ReadOnlyStringProperty value() {
        return value.getReadOnlyProperty();
    }

    /// Its unit.
    public ReadOnlyStringProperty unit() {
        return unit.getReadOnlyProperty();
    }

    /// What it rests on: "n = 24".
    public ReadOnlyStringProperty note() {
        return note.getReadOnlyProperty();
    }

    /// Whether it comes from the warm-up and enters no figure.
    public ReadOnlyBooleanProperty warmUp() {
        return warmUp.getReadOnlyProperty();
    }

    void show(String number, String inUnit, String basis, boolean warming) {
        value.set(number);
        unit.set(inUnit);
        note.set(basis);
        warmUp.set(warming);
    }

    void clear() {
        show("–", "", "", false);
    }
}
