package org.inferometer.ui.bench;

import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/// One KPI: value, unit and note.
public final class KpiViewModel {
    private final String key;
    private final ReadOnlyStringWrapper value = new ReadOnlyStringWrapper("–");
    private final ReadOnlyStringWrapper unit = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper note = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper warmUp = new ReadOnlyBooleanWrapper();

    /// @param key in the message bundle
    public KpiViewModel(String key) {
        this.key = key;
    }

    /// Key in the message bundle.
    public String key() {
        return key;
    }

    /// The value, or a dash.
    public ReadOnlyStringProperty value() {
        return value.getReadOnlyProperty();
    }

    /// Its unit.
    public ReadOnlyStringProperty unit() {
        return unit.getReadOnlyProperty();
    }

    /// Note: "n = 24".
    public ReadOnlyStringProperty note() {
        return note.getReadOnlyProperty();
    }

    /// Whether the value is of the warm-up.
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
