package dev.spur.simulator.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** Scale that maps values to [0, 1], with ticks at round values. */
public final class Axis {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double[] DURATIONS = {
        0.0001, 0.001, 0.01, 0.1, 1, 10, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, DAY, 10 * DAY, 100 * DAY, 1000 * DAY
    };

    private final String title;
    private final double min;
    private final double max;
    private final boolean logarithmic;
    private final double[] marks;
    private final DoubleFunction<String> label;

    private Axis(
            String title, double min, double max, boolean logarithmic, double[] marks, DoubleFunction<String> label) {
        this.title = title;
        this.min = min;
        this.max = max;
        this.logarithmic = logarithmic;
        this.marks = marks;
        this.label = label;
    }

    /** Returns a linear axis from {@code min} to {@code max}. */
    public static Axis linear(String title, double min, double max) {
        double top = max > min ? max : min + 1;
        double step = roundStep((top - min) / 8);
        List<Double> marks = new ArrayList<>();
        for (double mark = Math.ceil(min / step) * step; mark <= top + step * 1e-9; mark += step) {
            marks.add(mark);
        }
        return new Axis(
                title,
                min,
                top,
                false,
                marks.stream().mapToDouble(Double::doubleValue).toArray(),
                Axis::plain);
    }

    /** Returns an axis of fractions from 0 to 1, labeled in percent. */
    public static Axis share(String title) {
        return new Axis(
                title, 0, 1, false, new double[] {0, 0.2, 0.4, 0.6, 0.8, 1}, value -> plain(value * 100) + " %");
    }

    /** Returns a logarithmic axis of seconds; smaller values are drawn at {@code min}. */
    public static Axis duration(String title, double min, double max) {
        double low = Math.max(min, DURATIONS[0]);
        double high = Math.max(max, low * 10);
        double[] marks = DoubleStream.of(DURATIONS)
                .filter(mark -> mark >= low * 0.999 && mark <= high * 1.001)
                .toArray();
        return new Axis(title, low, high, true, marks, Axis::seconds);
    }

    /** Returns a logarithmic axis of numbers above 0; smaller values are drawn at {@code min}. */
    public static Axis logarithmic(String title, double min, double max) {
        double low = Math.max(min, 1e-12);
        double high = Math.max(max, low * 10);
        List<Double> marks = new ArrayList<>();
        for (int power = (int) Math.ceil(Math.log10(low) - 1e-9); Math.pow(10, power) <= high * 1.001; power++) {
            marks.add(Math.pow(10, power));
        }
        return new Axis(
                title,
                low,
                high,
                true,
                marks.stream().mapToDouble(Double::doubleValue).toArray(),
                Axis::plain);
    }

    private static double roundStep(double raw) {
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double lead = raw / power;
        return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }

    String title() {
        return title;
    }

    double[] marks() {
        return marks.clone();
    }

    String label(double value) {
        return label.apply(value);
    }

    /** Returns the position of {@code value}, from 0 to 1; values outside the axis are clamped. */
    double at(double value) {
        double place =
                logarithmic ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min);
        return Math.min(1, Math.max(0, place));
    }

    private static String plain(double value) {
        double rounded = Math.abs(value) < 1e-12 ? 0 : value;
        if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
            return String.format(Locale.ROOT, "%,d", (long) rounded);
        }
        return String.format(Locale.ROOT, "%.3g", rounded)
                .replaceFirst("(\\.\\d*?)0+$", "$1")
                .replaceFirst("\\.$", "");
    }

    private static String seconds(double value) {
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
}
