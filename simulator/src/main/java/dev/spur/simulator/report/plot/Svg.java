package dev.spur.simulator.report.plot;

import java.util.Locale;

/** Writer of SVG. Text from outside is escaped, so that a name cannot break the page. */
final class Svg {
    private final StringBuilder out = new StringBuilder();

    Svg(int width, int height, String title) {
        out.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                width,
                height,
                escaped(title)));
    }

    void line(double x1, double y1, double x2, double y2, String style) {
        out.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                style));
    }

    void text(double x, double y, String style, String text) {
        out.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>%n", x, y, style, escaped(text)));
    }

    void turnedText(double x, double y, String style, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"%s\">%s</text>%n",
                x,
                y,
                style,
                escaped(text)));
    }

    void rectangle(double x, double y, double width, double height, String color, String hint) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">",
                x,
                y,
                Math.max(width, 0.3),
                height,
                color));
        out.append("<title>").append(escaped(hint)).append("</title></rect>\n");
    }

    void dot(double x, double y, String color) {
        out.append(String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"%s\" fill-opacity=\"0.6\"/>%n",
                x,
                y,
                color));
    }

    void whisker(double x, double low, double high, String color) {
        out.append(String.format(
                Locale.ROOT, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>%n", x, low, x, high, color));
    }

    void path(double[] x, double[] y, String color) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            points.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x[i], y[i]));
        }
        out.append("<path d=\"")
                .append(points)
                .append("\" stroke=\"")
                .append(color)
                .append("\" class=\"curve\"/>\n");
    }

    String end() {
        return out.append("</svg>\n").toString();
    }

    /** Returns {@code text} with the special characters of HTML escaped. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
