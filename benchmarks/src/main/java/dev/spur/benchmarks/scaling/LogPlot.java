package dev.spur.benchmarks.scaling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Log-log plot as SVG: points and the fitted power law of each line. */
final class LogPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 480;
    private static final int LEFT = 70;
    private static final int RIGHT = 240;
    private static final int TOP = 40;
    private static final int BOTTOM = 70;
    /** Colors that remain distinct with red-green color blindness (Okabe and Ito). */
    private static final List<String> COLORS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000");

    private record Line(String name, List<Double> x, List<Double> y) {}

    private final String title;
    private final String across;
    private final String up;
    private final String remark;
    private final List<Line> lines = new ArrayList<>();

    /**
     * @param across name of the horizontal axis
     * @param up name of the vertical axis
     * @param remark small print below the plot
     */
    LogPlot(String title, String across, String up, String remark) {
        this.title = title;
        this.across = across;
        this.up = up;
        this.remark = remark;
    }

    /** Adds points, all above 0; {@code x} and {@code y} have the same length. */
    void add(String name, List<Double> x, List<Double> y) {
        lines.add(new Line(name, List.copyOf(x), List.copyOf(y)));
    }

    /**
     * Returns the exponent b of the power law y = a * x^b, fitted by least squares of logarithms; NaN if all x are
     * equal.
     */
    static double exponent(List<Double> x, List<Double> y) {
        double meanX = meanLog(x);
        double meanY = meanLog(y);
        double both = 0;
        double square = 0;
        for (int i = 0; i < x.size(); i++) {
            double offX = Math.log(x.get(i)) - meanX;
            both += offX * (Math.log(y.get(i)) - meanY);
            square += offX * offX;
        }
        return both / square;
    }

    String svg() {
        double[] x = limits(lines.stream().map(Line::x));
        double[] y = limits(lines.stream().map(Line::y));
        StringBuilder svg = new StringBuilder();
        put(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">",
                WIDTH,
                HEIGHT);
        put(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        put(svg, "<text x=\"%d\" y=\"24\" font-size=\"16\">%s</text>", LEFT, escaped(title));
        axes(svg, x, y);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLORS.get(i % COLORS.size()), TOP + 20 + 36 * i, x, y);
        }
        put(svg, "<text x=\"10\" y=\"%d\" font-size=\"10\">%s</text>", HEIGHT - 8, escaped(remark));
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg, double[] x, double[] y) {
        double bottom = HEIGHT - BOTTOM;
        for (double at : ticks(x)) {
            double px = px(at, x);
            put(svg, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", px, TOP, px, bottom);
            put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", px, bottom + 18, number(at));
        }
        for (double at : ticks(y)) {
            double py = py(at, y);
            put(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    LEFT,
                    py,
                    WIDTH - RIGHT,
                    py);
            put(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, py + 4, number(at));
        }
        double middle = (LEFT + WIDTH - RIGHT) / 2.0;
        put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", middle, bottom + 38, escaped(across));
        put(
                svg,
                "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                HEIGHT / 2,
                escaped(up));
    }

    private void draw(StringBuilder svg, Line line, String color, int legend, double[] x, double[] y) {
        for (int i = 0; i < line.x().size(); i++) {
            double px = px(line.x().get(i), x);
            double py = py(line.y().get(i), y);
            put(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", px, py, color);
        }
        double exponent = exponent(line.x(), line.y());
        double low = Collections.min(line.x());
        double high = Collections.max(line.x());
        double factor = Math.exp(meanLog(line.y()) - exponent * meanLog(line.x()));
        double[] ends = {factor * Math.pow(low, exponent), factor * Math.pow(high, exponent)};
        put(
                svg,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                px(low, x),
                py(ends[0], y),
                px(high, x),
                py(ends[1], y),
                color);
        int at = WIDTH - RIGHT + 14;
        put(svg, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>", at, legend - 4, color);
        put(svg, "<text x=\"%d\" y=\"%d\">%s</text>", at + 12, legend, escaped(line.name()));
        put(svg, "<text x=\"%d\" y=\"%d\" font-size=\"11\">exponent %.2f</text>", at + 12, legend + 15, exponent);
    }

    /** Returns the smallest and largest value with a margin. */
    private static double[] limits(Stream<List<Double>> values) {
        List<Double> all = values.flatMap(List::stream).toList();
        return new double[] {Collections.min(all) / 1.3, Collections.max(all) * 1.3};
    }

    /** Returns 1, 2 and 5 times powers of ten within the limits. */
    private static double[] ticks(double[] limits) {
        return DoubleStream.iterate(Math.pow(10, Math.floor(Math.log10(limits[0]))), p -> p <= limits[1], p -> p * 10)
                .flatMap(p -> DoubleStream.of(p, 2 * p, 5 * p))
                .filter(at -> at >= limits[0] && at <= limits[1])
                .toArray();
    }

    private static double px(double value, double[] limits) {
        return LEFT + part(value, limits) * (WIDTH - RIGHT - LEFT);
    }

    private static double py(double value, double[] limits) {
        return HEIGHT - BOTTOM - part(value, limits) * (HEIGHT - BOTTOM - TOP);
    }

    private static double part(double value, double[] limits) {
        return Math.log(value / limits[0]) / Math.log(limits[1] / limits[0]);
    }

    private static double meanLog(List<Double> values) {
        return values.stream().mapToDouble(Math::log).average().orElse(0);
    }

    private static String number(double value) {
        return value >= 1
                ? String.format(Locale.ROOT, "%,d", Math.round(value))
                : String.format(Locale.ROOT, "%.3g", value).replaceAll("0+$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static void put(StringBuilder svg, String pattern, Object... values) {
        svg.append(String.format(Locale.ROOT, pattern, values)).append('\n');
    }
}
