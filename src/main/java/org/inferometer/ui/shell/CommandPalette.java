package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// Finds and does every action by a few of its characters; opens results and presets. Over the window while it is open.
final class CommandPalette {
    private static final String RECENT = "palette-recent";
    private static final int MOST_RECENT = 8;
    private static final int MOST_SHOWN = 200;
    private final Supplier<List<PaletteEntry>> source;
    private final Settings settings;
    private final TextField typed = new TextField();
    private final ListView<PaletteEntry> found = Panes.named("palette-list", new ListView<>());
    private final StackPane cover = Panes.styled(new StackPane(), StyleClasses.PALETTE_COVER);
    private List<PaletteEntry> entries = List.of();
    private @Nullable Node focusedBefore;

    /// @param source all entries as they are now
    /// @param settings keep the recent ones
    CommandPalette(Supplier<List<PaletteEntry>> source, Settings settings) {
        this.source = source;
        this.settings = settings;
        typed.setId("palette-text");
        typed.setPromptText(text("palette.prompt"));
        typed.setAccessibleText(text("palette.prompt"));
        typed.textProperty().addListener((observed, before, now) -> show());
        typed.addEventFilter(KeyEvent.KEY_PRESSED, this::pressed);
        found.setFocusTraversable(false);
        found.setPlaceholder(Labels.of(text("palette.none"), Styles.TEXT_MUTED));
        found.setCellFactory(list -> new EntryCell());
        found.setOnMouseClicked(event -> doSelected());
        VBox box = Panes.named("palette", new VBox(6, typed, found), StyleClasses.PALETTE, Styles.ELEVATED_3);
        box.setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        StackPane.setAlignment(box, Pos.TOP_CENTER);
        cover.getChildren().add(box);
        cover.setOnMousePressed(event -> {
            if (event.getTarget() == cover) {
                close();
            }
        });
        Panes.show(cover, false);
    }

    /// Lies over the window.
    Node view() {
        return cover;
    }

    /// Opens it with all entries, the recent ones first.
    void open() {
        if (cover.isVisible()) {
            return;
        }
        focusedBefore = cover.getScene() == null ? null : cover.getScene().getFocusOwner();
        entries = recentFirst(source.get());
        typed.clear();
        show();
        Panes.show(cover, true);
        typed.requestFocus();
    }

    private void close() {
        Panes.show(cover, false);
        if (focusedBefore != null) {
            focusedBefore.requestFocus();
        }
    }

    private void show() {
        String wanted = typed.getText();
        Map<PaletteEntry, Integer> scores = entries.stream()
                .collect(Collectors.toMap(entry -> entry, entry -> entry.match(wanted), (one, other) -> one));
        found.getItems()
                .setAll(entries.stream().filter(entry -> scores.getOrDefault(entry, 0) > 0)
                        .sorted(Comparator.comparingInt((PaletteEntry entry) -> -scores.getOrDefault(entry, 0)))
                        .limit(MOST_SHOWN).toList());
        found.getSelectionModel().selectFirst();
        found.scrollTo(0);
    }

    private void pressed(KeyEvent event) {
        int at = found.getSelectionModel().getSelectedIndex();
        if (event.getCode() == KeyCode.DOWN) {
            select(at + 1);
        } else if (event.getCode() == KeyCode.UP) {
            select(at - 1);
        } else if (event.getCode() == KeyCode.ENTER) {
            doSelected();
        } else if (event.getCode() == KeyCode.ESCAPE) {
            close();
        } else {
            return;
        }
        event.consume();
    }

    private void select(int index) {
        if (index >= 0 && index < found.getItems().size()) {
            found.getSelectionModel().select(index);
            found.scrollTo(Math.max(0, index - 3));
        }
    }

    private void doSelected() {
        @Nullable PaletteEntry entry = found.getSelectionModel().getSelectedItem();
        if (entry == null || !entry.unavailable().isEmpty()) {
            return;
        }
        close();
        remember(entry.id());
        entry.onAction().run();
    }

    private List<String> recent() {
        return settings.get(RECENT).filter(ids -> !ids.isEmpty()).map(ids -> List.of(ids.split("\n")))
                .orElse(List.of());
    }

    private void remember(String id) {
        List<String> ids = new ArrayList<>(recent());
        ids.remove(id);
        ids.addFirst(id);
        settings.put(RECENT, String.join("\n", ids.subList(0, Math.min(MOST_RECENT, ids.size()))));
    }

    private List<PaletteEntry> recentFirst(List<PaletteEntry> all) {
        List<String> ids = recent();
        Map<String, Integer> places =
                IntStream.range(0, ids.size()).boxed().collect(Collectors.toMap(ids::get, i -> i, (one, other) -> one));
        return all.stream()
                .sorted(Comparator
                        .comparingInt((PaletteEntry entry) -> places.getOrDefault(entry.id(), Integer.MAX_VALUE)))
                .toList();
    }

    /// An entry with its kind and key; a reason in place of the key where it cannot be done.
    private static final class EntryCell extends ListCell<PaletteEntry> {
        @Override
        protected void updateItem(@Nullable PaletteEntry entry, boolean empty) {
            super.updateItem(entry, empty);
            if (empty || entry == null) {
                setGraphic(null);
                return;
            }
            boolean available = entry.unavailable().isEmpty();
            Node label = Labels.of(entry.label(), available ? Styles.TEXT_NORMAL : Styles.TEXT_MUTED);
            setGraphic(Panes.row(8, label, Labels.fixed(entry.kind(), Styles.TEXT_MUTED, Styles.TEXT_SMALL),
                    Panes.spacer(), Labels.fixed(available ? entry.detail() : entry.unavailable(), Styles.TEXT_MUTED,
                            Styles.TEXT_SMALL)));
        }
    }

    /// A line of the command palette.
    ///
    /// @param id names it among the recent ones
    /// @param kind "Result", "Preset", or the menu of an action
    /// @param detail key of an action, date of a result; may be empty
    /// @param unavailable why it cannot be done now; empty while it can
    record PaletteEntry(String id, String label, String kind, String detail, String unavailable, Runnable onAction) {
        private static final int NO_MATCH = 0;
        private static final int FOLLOWING = 5;
        private static final int WORD_START = 8;
        private static final int WHOLE_WORD = 12;

        static PaletteEntry of(Action action, String kind, String key) {
            return new PaletteEntry(action.id(), action.label(), kind, key, action.unavailable().getValue(),
                    action.onAction());
        }

        /// How well what was typed is found: at least 1, more for whole words; 0 if a word of it is found neither in the label nor as the
        /// beginning of the kind.
        int match(String typed) {
            int sum = 1;
            for (String word : LetterCase.lower(typed).strip().split("\\s+")) {
                int best = Math.max(inLabel(word), LetterCase.lower(kind).startsWith(word) ? word.length() : 0);
                if (best == NO_MATCH && !word.isEmpty()) {
                    return NO_MATCH;
                }
                sum += best;
            }
            return sum;
        }

        /// The characters of a word in their order: more where they follow each other and begin words.
        private int inLabel(String word) {
            String here = LetterCase.lower(label);
            int whole = here.indexOf(word);
            if (whole >= 0) {
                return word.length() * WHOLE_WORD + (startsWord(here, whole) ? WORD_START : 0);
            }
            int score = 0;
            int before = -2;
            for (int i = 0; i < word.length(); i++) {
                int at = next(here, word.charAt(i), before + 1);
                if (at < 0) {
                    return NO_MATCH;
                }
                score += 1 + (at == before + 1 ? FOLLOWING : 0) + (startsWord(here, at) ? WORD_START : 0);
                before = at;
            }
            return score;
        }

        /// The next one that begins a word, else the next one.
        private static int next(String text, char sign, int from) {
            int least = Math.max(0, from);
            if (least < text.length() && text.charAt(least) == sign) {
                return least;
            }
            for (int at = text.indexOf(sign, least); at >= 0; at = text.indexOf(sign, at + 1)) {
                if (startsWord(text, at)) {
                    return at;
                }
            }
            return text.indexOf(sign, least);
        }

        private static boolean startsWord(String text, int at) {
            return at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
        }
    }
}
