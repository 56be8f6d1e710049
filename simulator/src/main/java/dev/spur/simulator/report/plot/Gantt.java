package dev.spur.simulator.report.plot;

import java.util.List;

/** Gantt chart: one row per job, one bar per interval in which it held slots. */
public final class Gantt {
    private static final int WIDTH = 760;
    private static final int LEFT = 70;
    private static final int RIGHT = 16;
    private static final int TOP = 26;
    private static final int BOTTOM = 40;
    private static final int MAX_HEIGHT = 620;

    /**
     * A bar.
     *
     * @param row row index, from 0
     * @param start beginning of the bar
     * @param end end of the bar
     * @param kind index of its kind, which determines the color; -1 for a wait
     * @param hint tooltip text
     */
    public record Bar(int row, double start, double end, int kind, String hint) {}

    private Gantt() {}

    /**
     * Returns the chart as an SVG element.
     *
     * @param kinds names of the kinds, by index
     */
    public static String draw(String title, Axis across, int rows, List<String> kinds, List<Bar> bars) {
        double pitch = Math.min(12, (double) MAX_HEIGHT / Math.max(1, rows));
        int height = (int) Math.ceil(rows * pitch) + TOP + BOTTOM;
        Svg svg = new Svg(WIDTH, height, title);
        for (double mark : across.marks()) {
            svg.line(x(across, mark), TOP, x(across, mark), height - BOTTOM, "grid");
            svg.text(x(across, mark), height - BOTTOM + 16, "mark middle", across.label(mark));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, height - 6, "mark middle", across.title());
        for (Bar bar : bars) {
            double from = x(across, bar.start());
            double y = TOP + bar.row() * pitch;
            boolean waits = bar.kind() < 0;
            svg.rectangle(
                    from,
                    waits ? y + pitch * 0.4 : y,
                    x(across, bar.end()) - from,
                    waits ? pitch * 0.2 : pitch * 0.9,
                    waits ? "#9994" : Palette.color(bar.kind()),
                    bar.hint());
        }
        drawLegend(svg, kinds);
        return svg.end();
    }

    private static void drawLegend(Svg svg, List<String> kinds) {
        double x = LEFT;
        for (int i = 0; i < kinds.size(); i++) {
            svg.rectangle(x, 8, 10, 10, Palette.color(i), kinds.get(i));
            svg.text(x + 14, 17, "mark", kinds.get(i));
            x += 28 + 7.0 * kinds.get(i).length();
        }
    }

    private static double x(Axis across, double value) {
        return LEFT + across.at(value) * (WIDTH - LEFT - RIGHT);
    }
}
