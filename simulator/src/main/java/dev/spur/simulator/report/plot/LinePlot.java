package dev.spur.simulator.report.plot;

import java.util.List;

/** Plot of lines and dots over two axes. */
public final class LinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 300;
    private static final int LEFT = 70;
    private static final int RIGHT = 16;
    private static final int TOP = 26;
    private static final int BOTTOM = 46;

    private final Axis across;
    private final Axis up;
    private final List<Series> series;
    private final Svg svg;

    private LinePlot(String title, Axis across, Axis up, List<Series> series) {
        this.across = across;
        this.up = up;
        this.series = series;
        this.svg = new Svg(WIDTH, HEIGHT, title);
    }

    /** Returns the plot as an SVG element; the index of a series determines its color. */
    public static String draw(String title, Axis across, Axis up, List<Series> series) {
        LinePlot plot = new LinePlot(title, across, up, series);
        plot.drawAxes();
        plot.drawSeries();
        plot.drawLegend();
        return plot.svg.end();
    }

    private void drawAxes() {
        for (double mark : across.marks()) {
            svg.line(x(mark), TOP, x(mark), HEIGHT - BOTTOM, "grid");
            svg.text(x(mark), HEIGHT - BOTTOM + 16, "mark middle", across.label(mark));
        }
        for (double mark : up.marks()) {
            svg.line(LEFT, y(mark), WIDTH - RIGHT, y(mark), "grid");
            svg.text(LEFT - 6, y(mark) + 4, "mark end", up.label(mark));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "mark middle", across.title());
        svg.turnedText(16, (TOP + HEIGHT - BOTTOM) / 2.0, "mark middle", up.title());
    }

    private void drawSeries() {
        for (int s = 0; s < series.size(); s++) {
            Series own = series.get(s);
            double[] xs = new double[own.x().length];
            double[] ys = new double[xs.length];
            for (int i = 0; i < xs.length; i++) {
                xs[i] = x(own.x()[i]);
                ys[i] = y(own.y()[i]);
                if (own.spread().length > 0) {
                    svg.whisker(
                            xs[i], y(own.y()[i] - own.spread()[i]), y(own.y()[i] + own.spread()[i]), Palette.color(s));
                }
                if (own.dots()) {
                    svg.dot(xs[i], ys[i], Palette.color(s));
                }
            }
            if (!own.dots() && xs.length > 0) {
                svg.path(xs, ys, Palette.color(s));
            }
        }
    }

    private void drawLegend() {
        double x = LEFT;
        for (int s = 0; s < series.size(); s++) {
            svg.rectangle(x, 8, 10, 10, Palette.color(s), series.get(s).name());
            svg.text(x + 14, 17, "mark", series.get(s).name());
            x += 28 + 7.0 * series.get(s).name().length();
        }
    }

    private double x(double value) {
        return LEFT + across.at(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - up.at(value) * (HEIGHT - TOP - BOTTOM);
    }
}
