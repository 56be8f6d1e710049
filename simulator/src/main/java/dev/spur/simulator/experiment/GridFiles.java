package dev.spur.simulator.experiment;

import dev.spur.simulator.report.HtmlPage;
import dev.spur.simulator.report.plot.Axis;
import dev.spur.simulator.report.plot.LinePlot;
import dev.spur.simulator.report.plot.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Files of an experiment: a self-contained HTML page, tables for other programs, and each plot as a separate file. */
public final class GridFiles {
    private GridFiles() {}

    /**
     * Writes {@code page.html}, {@code means.tsv}, {@code differences.tsv} and, with several loads, one plot per
     * metric.
     */
    public static void write(Path folder, GridResult result) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("means.tsv"), result.means().asTsv() + "\n");
        Files.writeString(
                folder.resolve("differences.tsv"), result.differences().asTsv() + "\n");
        Files.writeString(folder.resolve("page.html"), page(result));
        if (result.loads().size() > 1) {
            for (ReplayMetric metric : result.experiment().metrics()) {
                String name = metric.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
                Files.writeString(folder.resolve(name), plot(result, metric));
            }
        }
    }

    private static String page(GridResult result) {
        Experiment experiment = result.experiment();
        HtmlPage page = new HtmlPage("Experiment " + experiment.name());
        page.note(experiment.question());
        page.note("Means over %d traces per load, with 95 %% confidence intervals by Student's t."
                .formatted(
                        result.cells().stream().mapToLong(Cell::seed).distinct().count()));
        page.table(result.means());
        page.note("Paired differences on the same traces, relative to the mean of "
                + experiment.variants().get(0).name() + ", with 95 % confidence intervals.");
        page.table(result.differences());
        if (result.loads().size() > 1) {
            for (ReplayMetric metric : experiment.metrics()) {
                page.section(metric.title(), "By load; whiskers are 95 % confidence intervals.", plot(result, metric));
            }
        }
        return page.end();
    }

    private static String plot(GridResult result, ReplayMetric metric) {
        double[] loads =
                result.loads().stream().mapToDouble(Double::doubleValue).toArray();
        List<Series> series = new ArrayList<>();
        double top = 0;
        for (Variant variant : result.experiment().variants()) {
            double[] means = new double[loads.length];
            double[] spread = new double[loads.length];
            for (int i = 0; i < loads.length; i++) {
                ConfidenceInterval interval = result.mean(loads[i], variant, metric);
                means[i] = interval.mean();
                spread[i] = Double.isInfinite(interval.half()) ? 0 : interval.half();
                top = Math.max(top, means[i] + spread[i]);
            }
            series.add(Series.withSpread(variant.name(), loads, means, spread));
        }
        double first = loads[0];
        return LinePlot.draw(
                metric.title(),
                Axis.linear("load", first, loads[loads.length - 1]),
                Axis.linear(metric.title(), 0, top),
                series);
    }
}
