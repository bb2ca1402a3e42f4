package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Orientation;
import javafx.scene.AccessibleAttribute;
import javafx.scene.AccessibleRole;
import javafx.scene.Cursor;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollBar;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.Region;
import javafx.scene.text.FontSmoothingType;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.jspecify.annotations.Nullable;

/// The rows of the timeline with mouse and keyboard: a canvas of the visible part, redrawn at most once per frame.
/// Belongs to the JavaFX thread.
public final class TimelineCanvas extends Region {
    /// Largest side of a canvas that every graphics device supports.
    static final double LARGEST_DEVICE_PIXELS = 4096;
    private static final double BAR = 12;
    private static final double DRAG_FROM = 4;
    private static final double WHEEL_ZOOM = 1.2;
    private static final double KEY_ZOOM = 1.5;
    private static final double KEY_PAN = 0.2;

    private final TimelineViewModel model;
    private final ObservableValue<Double> textScale;
    private final Canvas canvas = new Canvas();
    private int shapes;
    private final TimelineColors inks = new TimelineColors(this::requestLayout);
    private final ScrollBar bar = Panes.named("timeline-scroll", new ScrollBar());
    private final BooleanProperty measuring = new SimpleBooleanProperty();
    private final ContextMenu menu = new ContextMenu();
    private final List<MenuItem> offered = new ArrayList<>();
    private long pointer = TimelineFrame.NO_POINTER;
    private double pressedX;
    private double pressedY;
    private double pressedScroll;
    private TimeWindow pressedWindow = new TimeWindow(0, 1);
    private boolean dragged;
    private boolean dragMeasures;
    private @Nullable TimelineMark unseen;

    /// @param textScale size of texts, rows and gutter; 1 for the usual one
    TimelineCanvas(TimelineViewModel model, ObservableValue<Double> textScale) {
        this.model = model;
        this.textScale = textScale;
        setId("timeline-canvas");
        getStyleClass().add(StyleClasses.TIMELINE_CANVAS);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(200, 120);
        canvas.setManaged(false);
        canvas.getGraphicsContext2D().setFontSmoothingType(FontSmoothingType.GRAY);
        bar.setOrientation(Orientation.VERTICAL);
        bar.setManaged(false);
        bar.setFocusTraversable(false);
        getChildren().addAll(inks, canvas, bar);
        for (ObservableValue<?> watched : new ObservableValue<?>[]{model.sheet(), model.visible().window(),
                model.marks().hovered(), model.marks().pinned(), model.marks().stretch(), model.display(),
                bar.valueProperty(), focusedProperty(), textScale}) {
            watched.addListener((observed, before, now) -> requestLayout());
        }
        model.sheet().addListener((observed, before, now) -> bar.setValue(0));
        model.marks().pinned().addListener((observed, before, now) -> {
            // Its row has a place once the sheet is laid out.
            unseen = now;
            requestLayout();
        });
        model.marks().details().addListener((observed, before, now) -> {
            setAccessibleText(now.isEmpty() ? text("timeline.spoken") : now.describe());
            notifyAccessibleAttributeChanged(AccessibleAttribute.TEXT);
        });
        setAccessibleText(text("timeline.spoken"));
        canvas.setOnMouseMoved(this::move);
        canvas.setOnMouseExited(event -> {
            pointer = TimelineFrame.NO_POINTER;
            model.marks().hover(null);
            requestLayout();
        });
        canvas.setOnMousePressed(this::press);
        canvas.setOnMouseDragged(this::drag);
        canvas.setOnMouseReleased(this::release);
        canvas.setOnScroll(this::scroll);
        canvas.setOnZoom(event -> {
            model.visible().zoom(1 / event.getZoomFactor(), scale().nanos(event.getX() / textScale.getValue()));
            event.consume();
        });
        setOnKeyPressed(this::key);
        offer(Buttons.item("timeline-rows-zoom-to", text("timeline.zoom-to"), model::zoomToMark),
                Buttons.item("timeline-rows-copy-details", text("timeline.copy-details"), this::copyDetails),
                Buttons.item("timeline-rows-show-all", text("timeline.show-all"), model.visible()::showAll));
        setOnContextMenuRequested(event -> {
            menu.getItems().setAll(FilterMenu.ofMark(model));
            menu.getItems().addAll(offered);
            menu.show(this, event.getScreenX(), event.getScreenY());
        });
    }

    /// Adds items to the context menu, below those of the mark.
    void offer(MenuItem... items) {
        offered.addAll(List.of(items));
    }

    /// Number of shapes painted in the last frame.
    public int shapes() {
        return shapes;
    }

    /// A drawing of the visible rows; empty without a timeline.
    Optional<VectorDrawing> drawing() {
        TimelineSheet sheet = model.sheet().get();
        return sheet == null || canvas.getHeight() < 1 ? Optional.empty()
                : Optional.of(TimelineImage.drawing(frame(sheet, height()), inks));
    }

    private TimelineFrame frame(TimelineSheet sheet, double height) {
        return new TimelineFrame(sheet, scale(), height, Math.round(bar.getValue()), model.marks().shown(),
                model.marks().pinned().get() != null, model.marks().stretch().get(), pointer, model.display().get());
    }

    /// Whether dragging measures instead of moving; Shift inverts it.
    BooleanProperty measuring() {
        return measuring;
    }

    /// Copies the details.
    void copyDetails() {
        if (!model.marks().details().get().isEmpty()) {
            TextClipboard.copy(model.marks().details().get().describe());
        }
    }

    /// Scrolls to a mark that was pinned by a key or in the event table.
    private void reveal(@Nullable TimelineMark mark) {
        TimelineSheet sheet = model.sheet().get();
        if (mark == null || sheet == null) {
            return;
        }
        unseen = null;
        sheet.rowOf(mark).ifPresent(row -> {
            double bottom = row.top() + row.height();
            if (row.top() < bar.getValue() || bottom > bar.getValue() + rowsHeight()) {
                bar.setValue(Math.clamp(row.top() + row.height() / 2 - rowsHeight() / 2, 0, bar.getMax()));
            }
        });
    }

    private TimeScale scale() {
        double width = Math.max(1, canvas.getWidth() / textScale.getValue() - TimelinePainter.GUTTER);
        return new TimeScale(model.visible().window().get(), TimelinePainter.GUTTER, width,
                outputScale() * textScale.getValue());
    }

    private double outputScale() {
        return getScene() == null || getScene().getWindow() == null ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
    }

    private void move(MouseEvent event) {
        TimelineSheet sheet = model.sheet().get();
        boolean inPlot = sheet != null && x(event) >= TimelinePainter.GUTTER;
        pointer = inPlot ? scale().nanos(x(event)) : TimelineFrame.NO_POINTER;
        boolean inRows = inPlot && y(event) > TimelinePainter.RULER;
        model.marks().hover(inRows ? mark(sheet, event) : null);
        requestLayout();
    }

    private @Nullable TimelineMark mark(TimelineSheet sheet, MouseEvent event) {
        double nanosPerPixel = model.visible().window().get().length() / scale().width();
        return sheet.markAt(y(event) - TimelinePainter.RULER + bar.getValue(), scale().nanos(x(event)), nanosPerPixel)
                .orElse(null);
    }

    private void press(MouseEvent event) {
        requestFocus();
        menu.hide();
        pressedX = x(event);
        pressedY = y(event);
        pressedScroll = bar.getValue();
        pressedWindow = model.visible().window().get();
        dragged = false;
        dragMeasures = event.isShiftDown() != measuring.get() && x(event) >= TimelinePainter.GUTTER;
    }

    private void drag(MouseEvent event) {
        if (event.getButton() == MouseButton.SECONDARY || model.sheet().get() == null) {
            return;
        }
        dragged |= Math.abs(x(event) - pressedX) >= DRAG_FROM || Math.abs(y(event) - pressedY) >= DRAG_FROM;
        if (!dragged) {
            return;
        }
        TimeScale scale = scale();
        if (dragMeasures) {
            long from = Math.min(scale.nanos(pressedX), scale.nanos(x(event)));
            long to = Math.max(scale.nanos(pressedX), scale.nanos(x(event)));
            TimeWindow window = model.visible().window().get();
            long start = Math.max(from, window.from());
            model.marks().measure(new TimeWindow(start, Math.max(start + 1, Math.min(to, window.to()))));
        } else {
            setCursor(Cursor.CLOSED_HAND);
            long moved = Math.round((pressedX - x(event)) / scale.width() * pressedWindow.length());
            model.visible().look(new TimeWindow(pressedWindow.from() + moved, pressedWindow.to() + moved));
            bar.setValue(Math.clamp(pressedScroll + pressedY - y(event), 0, bar.getMax()));
        }
    }

    private void release(MouseEvent event) {
        setCursor(Cursor.DEFAULT);
        TimelineSheet sheet = model.sheet().get();
        if (dragged || sheet == null || event.getButton() != MouseButton.PRIMARY) {
            return;
        }
        if (event.getClickCount() == 2) {
            model.visible().showAll();
        } else if (y(event) > TimelinePainter.RULER && x(event) >= TimelinePainter.GUTTER) {
            model.marks().pin(mark(sheet, event));
        } else {
            toggleOwner(sheet, y(event) - TimelinePainter.RULER + bar.getValue());
        }
    }

    /// Shows or hides the owner whose legend entry was clicked.
    private void toggleOwner(TimelineSheet sheet, double y) {
        int index = sheet.firstRowBelow(y);
        if (index < sheet.rows().size() && sheet.rows().get(index).kind() == TimelineSheet.SheetRowKind.MEMORY) {
            TimelineSheet.SheetRow row = sheet.rows().get(index);
            MemoryPainter.owner(sheet.panels().get(row.panel()).memory(), y - row.top()).ifPresent(owner -> {
                TimelineDisplay now = model.display().get();
                model.display().set(now.with(owner, now.hidden().contains(owner)));
            });
        }
    }

    private void scroll(ScrollEvent event) {
        double turned = event.getDeltaY();
        double x = event.getX() / textScale.getValue();
        if (x < TimelinePainter.GUTTER) {
            bar.setValue(Math.clamp(bar.getValue() - turned, 0, bar.getMax()));
        } else if (event.isShiftDown() || Math.abs(event.getDeltaX()) > Math.abs(turned)) {
            double sideways = event.getDeltaX() == 0 ? turned : event.getDeltaX();
            model.visible().pan(-sideways / scale().width());
        } else if (turned != 0) {
            model.visible().zoom(turned > 0 ? 1 / WHEEL_ZOOM : WHEEL_ZOOM, scale().nanos(x));
        }
        event.consume();
    }

    private void key(KeyEvent event) {
        if (event.isControlDown() || event.isAltDown() || event.isMetaDown()) {
            return;
        }
        switch (event.getCode()) {
            case LEFT -> model.stepBy(-1);
            case RIGHT -> model.stepBy(1);
            case UP -> model.laneBy(-1);
            case DOWN -> model.laneBy(1);
            case W, PLUS, ADD, EQUALS -> model.visible().zoom(1 / KEY_ZOOM);
            case S, MINUS, SUBTRACT -> model.visible().zoom(KEY_ZOOM);
            case A -> model.visible().pan(-KEY_PAN);
            case D -> model.visible().pan(KEY_PAN);
            case F, DIGIT0, NUMPAD0 -> model.visible().showAll();
            case Z, ENTER -> model.zoomToMark();
            case M -> measuring.set(!measuring.get());
            case OPEN_BRACKET -> model.visible().nextPhase(-1);
            case CLOSE_BRACKET -> model.visible().nextPhase(1);
            case PAGE_UP -> bar.setValue(Math.max(0, bar.getValue() - rowsHeight()));
            case PAGE_DOWN -> bar.setValue(Math.min(bar.getMax(), bar.getValue() + rowsHeight()));
            case ESCAPE -> model.marks().release();
            default -> {
                return;
            }
        }
        event.consume();
    }

    private double rowsHeight() {
        return Math.max(1, height() - TimelinePainter.RULER);
    }

    /// Of the canvas, at the usual size of texts.
    private double height() {
        return canvas.getHeight() / textScale.getValue();
    }

    private double x(MouseEvent event) {
        return event.getX() / textScale.getValue();
    }

    private double y(MouseEvent event) {
        return event.getY() / textScale.getValue();
    }

    @Override
    protected void layoutChildren() {
        TimelineSheet sheet = model.sheet().get();
        double largest = Math.floor(LARGEST_DEVICE_PIXELS / outputScale());
        double width = Math.min(largest, Math.floor(getWidth()) - BAR);
        double height = Math.min(largest, Math.floor(getHeight()));
        double size = textScale.getValue();
        if (width < TimelinePainter.GUTTER * size + 1 || height < 1) {
            return;
        }
        if (canvas.getWidth() != width || canvas.getHeight() != height) {
            canvas.setWidth(width);
            canvas.setHeight(height);
        }
        bar.resizeRelocate(width, 0, BAR, height);
        double hidden = sheet == null ? 0 : Math.max(0, sheet.height() - rowsHeight());
        bar.setVisible(hidden > 0);
        bar.setMax(hidden);
        bar.setVisibleAmount(sheet == null ? 0 : hidden * rowsHeight() / sheet.height());
        bar.setUnitIncrement(40);
        bar.setBlockIncrement(rowsHeight());
        if (bar.getValue() > hidden) {
            bar.setValue(hidden);
        }
        reveal(unseen);
        if (sheet != null) {
            GraphicsContext graphics = canvas.getGraphicsContext2D();
            graphics.setTransform(size, 0, 0, size, 0, 0);
            CanvasSurface surface = new CanvasSurface(graphics, inks);
            new TimelinePainter(surface, frame(sheet, height())).paint();
            shapes = surface.shapes();
        }
    }
}
