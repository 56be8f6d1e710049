package dev.spur.simulator.report.plot;

import java.util.List;

/** Bar chart with one bar per name. */
public final class BarChart {
    private static final int WIDTH = 370;
    private static final int ROW = 22;
    private static final int LEAST_LEFT = 110;
    /** Approximate maximum width of a character of a name. */
    private static final double LETTER = 6.6;

    private static final int RIGHT = 70;

    private BarChart() {}

    /**
     * Returns the chart as an SVG element.
     *
     * @param values at least 0, one for each name
     * @param labels text at the end of each bar
     */
    public static String draw(String title, List<String> names, double[] values, List<String> labels) {
        Svg svg = new Svg(WIDTH, ROW * (names.size() + 1) + 4, title);
        svg.text(0, 15, "title", title);
        int letters = names.stream().mapToInt(String::length).max().orElse(0);
        double left = Math.max(LEAST_LEFT, LETTER * letters + 6);
        double most = 1e-12;
        for (double value : values) {
            most = Math.max(most, value);
        }
        for (int i = 0; i < names.size(); i++) {
            double y = ROW * (i + 1);
            double width = values[i] / most * Math.max(0, WIDTH - left - RIGHT);
            svg.text(left - 6, y + 15, "mark end", names.get(i));
            svg.rectangle(left, y + 4, width, ROW - 8.0, Palette.color(i), labels.get(i));
            svg.text(left + width + 6, y + 15, "mark", labels.get(i));
        }
        return svg.end();
    }
}
