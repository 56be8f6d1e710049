package dev.spur.benchmarks.scaling;

import dev.spur.simulator.report.plot.Axis;
import dev.spur.simulator.report.plot.LinePlot;
import dev.spur.simulator.report.plot.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jfree.chart.axis.ValueAxis;

/**
 * Growth of time with the number of jobs at fixed slots, and with the number of slots at fixed jobs. Of all
 * measurements, each plot uses the fixed number that most sizes share.
 */
public final class Growth {
    private record Point(String line, Size size, double seconds) {}

    /** Ratio of the limits of an axis to the smallest and largest value. */
    private static final double MARGIN = 1.3;

    private final List<Point> points = new ArrayList<>();

    /** Adds a measurement of {@code line} at {@code size}. */
    public void add(String line, Size size, double seconds) {
        points.add(new Point(line, size, seconds));
    }

    /**
     * Writes {@code growth-jobs.svg} and {@code growth-slots.svg} into {@code folder}; a plot with fewer than two sizes
     * is omitted.
     */
    public void write(Path folder, String caption) throws IOException {
        Files.createDirectories(folder);
        write(folder.resolve("growth-jobs.svg"), "jobs", Size::jobs, "slots", Size::slots, caption);
        write(folder.resolve("growth-slots.svg"), "slots", Size::slots, "jobs", Size::jobs, caption);
    }

    private void write(
            Path file,
            String along,
            ToIntFunction<Size> growing,
            String across,
            ToIntFunction<Size> fixed,
            String caption)
            throws IOException {
        Map<Integer, List<Point>> byFixed = points.stream()
                .collect(Collectors.groupingBy(
                        point -> fixed.applyAsInt(point.size()), TreeMap::new, Collectors.toList()));
        List<Point> max = byFixed.values().stream()
                .max(Comparator.comparingLong(own -> sizes(own, growing)))
                .orElse(List.of());
        if (sizes(max, growing) < 2) {
            return;
        }
        String title = String.format(
                Locale.ROOT,
                "Time of a round against %s, %,d %s",
                along,
                fixed.applyAsInt(max.get(0).size()),
                across);
        Map<String, List<Point>> lines =
                max.stream().collect(Collectors.groupingBy(Point::line, TreeMap::new, Collectors.toList()));
        List<Series> series = new ArrayList<>();
        lines.forEach((name, own) -> {
            double[] x = values(own, point -> growing.applyAsInt(point.size()));
            double[] y = values(own, Point::seconds);
            double exponent = exponent(x, y);
            double factor = Math.exp(meanLog(y) - exponent * meanLog(x));
            double[] ends = {
                Arrays.stream(x).min().orElseThrow(), Arrays.stream(x).max().orElseThrow()
            };
            series.add(Series.ofPoints(String.format(Locale.ROOT, "%s (exponent %.2f)", name, exponent), x, y));
            series.add(Series.line("", ends, new double[] {
                factor * Math.pow(ends[0], exponent), factor * Math.pow(ends[1], exponent)
            }));
        });
        Files.writeString(
                file,
                LinePlot.draw(
                        title,
                        axis(along, values(max, point -> growing.applyAsInt(point.size()))),
                        axis("seconds", values(max, Point::seconds)),
                        series,
                        title + ". " + caption));
    }

    private static double[] values(List<Point> points, ToDoubleFunction<Point> value) {
        return points.stream().mapToDouble(value).toArray();
    }

    private static ValueAxis axis(String title, double[] values) {
        return Axis.logarithmic(
                title,
                Arrays.stream(values).min().orElseThrow() / MARGIN,
                Arrays.stream(values).max().orElseThrow() * MARGIN);
    }

    /**
     * Returns the exponent b of the power law y = a * x^b, fitted by least squares of logarithms; NaN if all x are
     * equal.
     */
    static double exponent(double[] x, double[] y) {
        double meanX = meanLog(x);
        double meanY = meanLog(y);
        double crossSum = 0;
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            double offX = Math.log(x[i]) - meanX;
            crossSum += offX * (Math.log(y[i]) - meanY);
            square += offX * offX;
        }
        return crossSum / square;
    }

    private static double meanLog(double[] values) {
        return Arrays.stream(values).map(Math::log).average().orElse(0);
    }

    private static long sizes(List<Point> points, ToIntFunction<Size> growing) {
        return points.stream()
                .mapToInt(point -> growing.applyAsInt(point.size()))
                .distinct()
                .count();
    }
}
