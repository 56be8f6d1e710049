package dev.spur.simulator.experiment;

import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Result of an experiment: means over the seeds, and differences from the first variant, paired by seed.
 *
 * @param experiment the experiment
 * @param cells all its replays
 */
public record GridResult(Experiment experiment, List<Cell> cells) {
    public GridResult {
        cells = List.copyOf(cells);
    }

    List<Double> loads() {
        return cells.stream().map(Cell::load).distinct().toList();
    }

    /** Returns the metric of each seed, in the order of the seeds. */
    private double[] values(double load, Variant variant, ReplayMetric figure) {
        return cells.stream()
                .filter(cell -> cell.load() == load && cell.variant().equals(variant.name()))
                .mapToDouble(cell -> figure.of(cell.summary()))
                .toArray();
    }

    ConfidenceInterval mean(double load, Variant variant, ReplayMetric figure) {
        return ConfidenceInterval.of(values(load, variant, figure));
    }

    /** Returns the difference between the variant and the first one, paired by trace. */
    ConfidenceInterval difference(double load, Variant variant, ReplayMetric figure) {
        double[] own = values(load, variant, figure);
        double[] first = values(load, experiment.variants().get(0), figure);
        for (int i = 0; i < own.length; i++) {
            own[i] -= first[i];
        }
        return ConfidenceInterval.of(own);
    }

    /** Returns one row per load and variant: mean and half width of the 95 % interval of each metric. */
    public ResultTable means() {
        List<String> header = new ArrayList<>(List.of("load", "policy"));
        experiment.stats().forEach(figure -> header.add(figure.title()));
        List<List<String>> rows = new ArrayList<>();
        for (double load : loads()) {
            for (Variant variant : experiment.variants()) {
                List<String> row = new ArrayList<>(List.of(text(load), variant.name()));
                for (ReplayMetric figure : experiment.stats()) {
                    ConfidenceInterval mean = mean(load, variant, figure);
                    row.add(figure.text(mean.mean())
                            + (Double.isInfinite(mean.half()) ? "" : " ± " + figure.text(mean.half())));
                }
                rows.add(row);
            }
        }
        return new ResultTable(header, rows);
    }

    /**
     * Returns one row per load and variant other than the first: the paired difference relative to the first one's
     * mean.
     */
    public ResultTable differences() {
        Variant first = experiment.variants().get(0);
        List<String> header = new ArrayList<>(List.of("load", "against " + first.name()));
        experiment.stats().forEach(figure -> header.add(figure.title().replaceFirst(" \\(.*", "")));
        List<List<String>> rows = new ArrayList<>();
        for (double load : loads()) {
            for (Variant variant :
                    experiment.variants().subList(1, experiment.variants().size())) {
                List<String> row = new ArrayList<>(List.of(text(load), variant.name()));
                for (ReplayMetric figure : experiment.stats()) {
                    row.add(percent(
                            difference(load, variant, figure),
                            mean(load, first, figure).mean()));
                }
                rows.add(row);
            }
        }
        return new ResultTable(header, rows);
    }

    private static String percent(ConfidenceInterval difference, double base) {
        if (base == 0) {
            return difference.mean() == 0 ? "0 %" : "from 0";
        }
        String mean = String.format(Locale.ROOT, "%+.1f %%", 100 * difference.mean() / base);
        return Double.isInfinite(difference.half())
                ? mean
                : mean + String.format(Locale.ROOT, " ± %.1f", 100 * difference.half() / Math.abs(base));
    }

    private static String text(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }
}
