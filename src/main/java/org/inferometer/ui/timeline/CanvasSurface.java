package org.inferometer.ui.timeline;

import javafx.geometry.VPos;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.TextAlignment;
import org.inferometer.report.charts.VectorDrawing.Anchor;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// Paints on a canvas. Belongs to the JavaFX thread.
final class CanvasSurface implements TimelineSurface {
    private static final Font PLAIN = Font.font(TimelinePainter.TEXT_SIZE);
    private static final Font BOLD = Font.font(null, FontWeight.BOLD, TimelinePainter.TEXT_SIZE);
    private final GraphicsContext canvas;
    private final TimelineColors inks;
    private int shapes;

    CanvasSurface(GraphicsContext canvas, TimelineColors inks) {
        this.canvas = canvas;
        this.inks = inks;
        canvas.setTextBaseline(VPos.CENTER);
    }

    /// Number of shapes painted so far.
    int shapes() {
        return shapes;
    }

    @Override
    public TimelineColors inks() {
        return inks;
    }

    @Override
    public void clip(double x, double y, double width, double height) {
        canvas.save();
        canvas.beginPath();
        canvas.rect(x, y, width, height);
        canvas.clip();
    }

    @Override
    public void unclip() {
        canvas.restore();
    }

    @Override
    public void setFill(Color color) {
        canvas.setFill(color);
    }

    @Override
    public void setHatch(TimelineColor ink) {
        canvas.setFill(inks.hatch(ink));
    }

    @Override
    public void fillRect(double x, double y, double width, double height) {
        shapes++;
        canvas.fillRect(x, y, width, height);
    }

    @Override
    public void fillRoundRect(double x, double y, double width, double height, double arc) {
        shapes++;
        canvas.fillRoundRect(x, y, width, height, arc, arc);
    }

    @Override
    public void fillPolygon(double[] x, double[] y) {
        shapes++;
        canvas.fillPolygon(x, y, x.length);
    }

    @Override
    public void fillOval(double x, double y, double width, double height) {
        shapes++;
        canvas.fillOval(x, y, width, height);
    }

    @Override
    public void strokeRect(double x, double y, double width, double height, double line, TimelineColor ink) {
        canvas.setStroke(inks.color(ink));
        canvas.setLineWidth(line);
        shapes++;
        canvas.strokeRect(x, y, width, height);
    }

    @Override
    public void strokeDashes(double x1, double y1, double x2, double y2, double dash, TimelineColor ink) {
        canvas.setStroke(inks.color(ink));
        canvas.setLineWidth(1);
        canvas.setLineDashes(dash, dash);
        shapes++;
        canvas.strokeLine(x1, y1, x2, y2);
        canvas.setLineDashes();
    }

    @Override
    public void fillText(String text, double x, double y, double most, Anchor anchor, boolean bold) {
        canvas.setFont(bold ? BOLD : PLAIN);
        canvas.setTextAlign(switch (anchor) {
            case LEFT -> TextAlignment.LEFT;
            case MIDDLE -> TextAlignment.CENTER;
            case RIGHT -> TextAlignment.RIGHT;
        });
        shapes++;
        canvas.fillText(text, x, y, most);
    }
}
