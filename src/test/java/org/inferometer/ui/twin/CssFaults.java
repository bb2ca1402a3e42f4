package org.inferometer.ui.twin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javafx.collections.ListChangeListener;
import javafx.css.CssParser;

/// Collects every fault that JavaFX finds in styles: what does not parse, and colours that nobody defines.
public final class CssFaults {
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("javafx.css");
    private final ListChangeListener<CssParser.ParseError> errors = change -> {
        while (change.next()) {
            change.getAddedSubList().forEach(error -> faults.add(error.getMessage()));
        }
    };
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                faults.add(record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /// Begins to listen.
    public void listen() {
        logger.addHandler(handler);
        CssParser.errorsProperty().addListener(errors);
    }

    /// Ends.
    public void stop() {
        logger.removeHandler(handler);
        CssParser.errorsProperty().removeListener(errors);
    }

    /// What was found, without repetitions.
    public List<String> all() {
        return faults.stream().distinct().toList();
    }
}
