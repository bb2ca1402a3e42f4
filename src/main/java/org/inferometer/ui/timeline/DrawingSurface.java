package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.paint.Color;
import org.inferometer.report.charts.VectorDrawing;
import org.inferometer.report.charts.VectorDrawing.Anchor;
import org.inferometer.report.charts.VectorDrawing.Fill;
import org.inferometer.report.charts.VectorDrawing.Ink;
import org.inferometer.report.charts.VectorDrawing.Shape;

/// Collects the shapes of a drawing for a file.
final class DrawingSurface implements TimelineSurface {
    private final List<Shape> shapes = new ArrayList<>();
    private Color color = Color.BLACK;
    private Fill fill = Fill.PLAIN;

    VectorDrawing drawing(String title, double width, double height) {
        return new VectorDrawing(title, width, height, List.copyOf(shapes));
    }

    private static Ink ink(Color color) {
        return new Ink(color.getRed(), color.getGreen(), color.getBlue(), color.getOpacity());
    }

    @Override
    public void clip(double x, double y, double width, double height) {
        shapes.add(new Shape.Clip(x, y, width, height));
    }

    @Override
    public void unclip() {
        shapes.add(new Shape.Unclip());
    }

    @Override
    public void setFill(Color wanted) {
        color = wanted;
        fill = Fill.PLAIN;
    }

    @Override
    public void setHatch(TimelineColors inks, TimelineColor ink) {
        color = inks.color(ink);
        fill = Fill.HATCHED;
    }

    @Override
    public void fillRect(double x, double y, double width, double height) {
        shapes.add(new Shape.Box(x, y, width, height, 0, ink(color), fill));
    }

    @Override
    public void fillRoundRect(double x, double y, double width, double height, double arc) {
        shapes.add(new Shape.Box(x, y, width, height, arc, ink(color), fill));
    }

    @Override
    public void fillPolygon(double[] x, double[] y) {
        shapes.add(new Shape.Polygon(x.clone(), y.clone(), ink(color)));
    }

    @Override
    public void fillOval(double x, double y, double width, double height) {
        shapes.add(new Shape.Oval(x, y, width, height, ink(color)));
    }

    @Override
    public void strokeRect(double x, double y, double width, double height, double line, Color drawn) {
        shapes.add(new Shape.Outline(x, y, width, height, line, ink(drawn)));
    }

    @Override
    public void strokeDashes(double x1, double y1, double x2, double y2, double dash, Color drawn) {
        shapes.add(new Shape.Segment(x1, y1, x2, y2, 1, dash, ink(drawn)));
    }

    @Override
    public void fillText(String text, double x, double y, double most, Anchor anchor, boolean bold) {
        shapes.add(new Shape.Text(text, x, y, most, TimelinePainter.TEXT_SIZE, bold, anchor, ink(color)));
    }
}
