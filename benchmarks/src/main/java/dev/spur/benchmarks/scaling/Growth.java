package dev.spur.benchmarks.scaling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Growth of time with the number of jobs at fixed slots, and with the number of slots at fixed jobs. Of all
 * measurements, each plot uses the fixed number that most sizes share.
 */
public final class Growth {
    private record Point(String line, Size size, double seconds) {}

    private final List<Point> points = new ArrayList<>();

    /** Adds a measurement of {@code line} at {@code size}. */
    public void add(String line, Size size, double seconds) {
        points.add(new Point(line, size, seconds));
    }

    /**
     * Writes {@code growth-jobs.svg} and {@code growth-slots.svg} into {@code folder}; a plot with fewer than two sizes
     * is omitted.
     */
    public void write(Path folder, String remark) throws IOException {
        Files.createDirectories(folder);
        write(folder.resolve("growth-jobs.svg"), "jobs", Size::jobs, "slots", Size::slots, remark);
        write(folder.resolve("growth-slots.svg"), "slots", Size::slots, "jobs", Size::jobs, remark);
    }

    private void write(
            Path file,
            String along,
            ToIntFunction<Size> growing,
            String across,
            ToIntFunction<Size> fixed,
            String remark)
            throws IOException {
        Map<Integer, List<Point>> byFixed = points.stream()
                .collect(Collectors.groupingBy(
                        point -> fixed.applyAsInt(point.size()), TreeMap::new, Collectors.toList()));
        List<Point> most = byFixed.values().stream()
                .max(Comparator.comparingLong(own -> sizes(own, growing)))
                .orElse(List.of());
        if (sizes(most, growing) < 2) {
            return;
        }
        String title = String.format(
                Locale.ROOT,
                "Time of a round against %s, %,d %s",
                along,
                fixed.applyAsInt(most.get(0).size()),
                across);
        LogPlot plot = new LogPlot(title, along, "seconds", remark);
        Map<String, List<Point>> lines =
                most.stream().collect(Collectors.groupingBy(Point::line, TreeMap::new, Collectors.toList()));
        lines.forEach((name, own) -> plot.add(
                name,
                own.stream()
                        .map(point -> (double) growing.applyAsInt(point.size()))
                        .toList(),
                own.stream().map(Point::seconds).toList()));
        Files.writeString(file, plot.svg());
    }

    private static long sizes(List<Point> points, ToIntFunction<Size> growing) {
        return points.stream()
                .mapToInt(point -> growing.applyAsInt(point.size()))
                .distinct()
                .count();
    }
}
