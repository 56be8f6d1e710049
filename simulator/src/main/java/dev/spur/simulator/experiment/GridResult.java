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
    private double[] values(double load, Variant variant, ReplayMetric metric) {
        return cells.stream()
                .filter(cell -> cell.load() == load && cell.variant().equals(variant.name()))
                .mapToDouble(cell -> metric.of(cell.summary()))
                .toArray();
    }

    ConfidenceInterval mean(double load, Variant variant, ReplayMetric metric) {
        return ConfidenceInterval.of(values(load, variant, metric));
    }

    /** Returns the difference between the variant and the first one, paired by trace. */
    ConfidenceInterval difference(double load, Variant variant, ReplayMetric metric) {
        double[] own = values(load, variant, metric);
        double[] first = values(load, experiment.variants().get(0), metric);
        for (int i = 0; i < own.length; i++) {
            own[i] -= first[i];
        }
        return ConfidenceInterval.of(own);
    }

    /** Returns one row per load and variant: mean and half width of the 95 % interval of each metric. */
    public ResultTable means() {
        List<String> header = new ArrayList<>(List.of("load", "policy"));
        experiment.metrics().forEach(metric -> header.add(metric.title()));
        List<List<String>> rows = new ArrayList<>();
        for (double load : loads()) {
            for (Variant variant : experiment.variants()) {
                List<String> row = new ArrayList<>(List.of(text(load), variant.name()));
                for (ReplayMetric metric : experiment.metrics()) {
                    ConfidenceInterval mean = mean(load, variant, metric);
                    row.add(metric.text(mean.mean())
                            + (Double.isInfinite(mean.half()) ? "" : " ± " + metric.text(mean.half())));
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
        experiment.metrics().forEach(metric -> header.add(metric.title().replaceFirst(" \\(.*", "")));
        List<List<String>> rows = new ArrayList<>();
        for (double load : loads()) {
            for (Variant variant :
                    experiment.variants().subList(1, experiment.variants().size())) {
                List<String> row = new ArrayList<>(List.of(text(load), variant.name()));
                for (ReplayMetric metric : experiment.metrics()) {
                    row.add(percent(
                            difference(load, variant, metric),
                            mean(load, first, metric).mean()));
                }
                rows.add(row);
            }
        }
        return new ResultTable(header, rows);
    }

    private static String percent(ConfidenceInterval interval, double base) {
        if (base == 0) {
            return interval.mean() == 0 ? "0 %" : "from 0";
        }
        String mean = String.format(Locale.ROOT, "%+.1f %%", 100 * interval.mean() / base);
        return Double.isInfinite(interval.half())
                ? mean
                : mean + String.format(Locale.ROOT, " ± %.1f", 100 * interval.half() / Math.abs(base));
    }

    private static String text(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }
}
