package dev.spur.simulator.report.plot;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** Axes with ticks at round values. */
public final class Axis {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double[] DURATIONS = {
        0.0001, 0.001, 0.01, 0.1, 1, 10, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, DAY, 10 * DAY, 100 * DAY, 1000 * DAY
    };
    /** Ratio of the limits up to which a logarithmic axis has ticks at 2 and 5 times powers of ten. */
    private static final double DENSE = 500;

    private Axis() {}

    /** Returns a linear axis from {@code min} to {@code max}. */
    public static ValueAxis linear(String title, double min, double max) {
        double top = max > min ? max : min + 1;
        return linear(title, min, top, roundStep((top - min) / 8), "#,##0.######");
    }

    /** Returns an axis of fractions from 0 to 1, labeled in percent. */
    public static ValueAxis share(String title) {
        return linear(title, 0, 1, 0.2, "0 %");
    }

    private static ValueAxis linear(String title, double min, double max, double step, String format) {
        NumberAxis axis = new NumberAxis(title);
        axis.setRange(min, max);
        axis.setTickUnit(
                new NumberTickUnit(step, new DecimalFormat(format, DecimalFormatSymbols.getInstance(Locale.ROOT))));
        return style(axis);
    }

    /** Returns a logarithmic axis of seconds. */
    public static ValueAxis duration(String title, double min, double max) {
        double low = Math.max(min, DURATIONS[0]);
        double high = Math.max(max, low * 10);
        return style(new MarkedLogAxis(title, low, high, DURATIONS, Axis::seconds));
    }

    /** Returns a logarithmic axis of numbers above 0. */
    public static ValueAxis logarithmic(String title, double min, double max) {
        double low = Math.max(min, 1e-12);
        double high = Math.max(max, low * 10);
        double[] marks = DoubleStream.iterate(
                        Math.pow(10, Math.floor(Math.log10(low))), power -> power <= high, power -> power * 10)
                .flatMap(power ->
                        high / low > DENSE ? DoubleStream.of(power) : DoubleStream.of(power, 2 * power, 5 * power))
                .toArray();
        return style(new MarkedLogAxis(title, low, high, marks, Axis::plain));
    }

    /** Returns the next larger of 1, 2 and 5 times powers of ten. */
    private static double roundStep(double step) {
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        double lead = step / power;
        return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }

    private static ValueAxis style(ValueAxis axis) {
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setLabelFont(ChartSvg.FONT);
        axis.setLabelPaint(ChartSvg.INK);
        axis.setTickLabelFont(ChartSvg.FONT);
        axis.setTickLabelPaint(ChartSvg.INK);
        return axis;
    }

    static String plain(double value) {
        return new DecimalFormat(
                        Math.abs(value) < 1 ? "0.######" : "#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(value);
    }

    static String seconds(double value) {
        if (value < 1) {
            return plain(value * 1000) + " ms";
        }
        if (value < MINUTE) {
            return plain(value) + " s";
        }
        if (value < HOUR) {
            return plain(value / MINUTE) + " min";
        }
        return value < DAY ? plain(value / HOUR) + " h" : plain(value / DAY) + " d";
    }

    /** Logarithmic axis with ticks at given values. */
    private static final class MarkedLogAxis extends LogAxis {
        private static final long serialVersionUID = 1;

        private final double[] marks;
        private final transient DoubleFunction<String> label;

        MarkedLogAxis(String title, double min, double max, double[] marks, DoubleFunction<String> label) {
            super(title);
            this.marks = marks.clone();
            this.label = label;
            setRange(min, max);
        }

        @Override
        public List<NumberTick> refreshTicks(Graphics2D canvas, AxisState state, Rectangle2D area, RectangleEdge edge) {
            TextAnchor anchor = RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
            return Arrays.stream(marks)
                    .filter(mark -> mark >= getLowerBound() * 0.999 && mark <= getUpperBound() * 1.001)
                    .mapToObj(mark -> new NumberTick(mark, label.apply(mark), anchor, TextAnchor.CENTER, 0))
                    .toList();
        }
    }
}
