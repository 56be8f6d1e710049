package dev.spur.simulator.report;

import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.report.plot.Axis;
import dev.spur.simulator.report.plot.BarChart;
import dev.spur.simulator.report.plot.LinePlot;
import dev.spur.simulator.report.plot.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jfree.chart.axis.ValueAxis;

/** Report that compares the replays of one trace, as one self-contained HTML page. */
public final class HtmlReport {
    private final List<Replay> replays;
    private final List<Summary> summaries;
    private final double end;
    private final HtmlPage page;

    private HtmlReport(List<Replay> replays) {
        this.replays = replays;
        this.summaries = replays.stream().map(Summary::of).toList();
        this.end = replays.stream()
                .flatMap(replay -> replay.allocationIntervals().stream())
                .mapToDouble(AllocationInterval::end)
                .max()
                .orElse(1);
        this.page = new HtmlPage(title(replays));
    }

    /**
     * Writes the page.
     *
     * @param replays at least one, all of the same trace on the same cluster
     */
    public static void write(Path file, List<Replay> replays) throws IOException {
        Files.writeString(file, page(replays));
    }

    /** Returns the page; {@code replays} as for {@link #write}. */
    public static String page(List<Replay> replays) {
        return new HtmlReport(replays).html();
    }

    private static String title(List<Replay> replays) {
        Replay first = replays.get(0);
        return "Replay of %s on %d slots".formatted(first.trace(), first.slots());
    }

    private String html() {
        page.table(SummaryTable.of(summaries));
        page.note(outliers());
        bars();
        distributions();
        overTime();
        solver();
        if (replays.size() > 1) {
            pairs();
        }
        for (Replay replay : replays) {
            page.section("Allocations under " + replay.policy(), ganttNote(replay), GanttRows.draw(replay));
        }
        return page.end();
    }

    private String outliers() {
        StringBuilder text = new StringBuilder();
        for (Summary summary : summaries) {
            if (summary.unfinished() > 0 || summary.rejected() > 0) {
                text.append(
                        "Under %s, %d jobs did not end; %d were rejected because the empty cluster can never host them. "
                                .formatted(summary.policy(), summary.unfinished(), summary.rejected()));
            }
        }
        return text
                + "The plan validator checked %,d of %,d decisions and found no violation."
                        .formatted(
                                replays.stream().mapToInt(Replay::validated).sum(),
                                replays.stream()
                                        .mapToInt(replay -> replay.rounds().size())
                                        .sum());
    }

    private void bars() {
        page.beginBars("Policy comparison");
        bar("mean JCT", Summary::meanJctSeconds, HtmlReport::duration);
        bar("p99 JCT", Summary::p99JctSeconds, HtmlReport::duration);
        bar("mean queueing delay", Summary::meanQueueingSeconds, HtmlReport::duration);
        bar("makespan", Summary::makespanSeconds, HtmlReport::duration);
        bar("worst finish-time fairness", Summary::worstFairness, HtmlReport::number);
        bar("restarts per job", Summary::restartsPerJob, HtmlReport::number);
        bar("GPU-hours", Summary::gpuHours, HtmlReport::number);
        bar("utilization", Summary::utilization, value -> number(value * 100) + " %");
        page.endBars();
    }

    private void bar(String title, ToDoubleFunction<Summary> value, Function<Double, String> label) {
        double[] values = summaries.stream().mapToDouble(value).toArray();
        page.bar(BarChart.draw(
                title,
                summaries.stream().map(Summary::policy).toList(),
                values,
                DoubleStream.of(values).boxed().map(label).toList()));
    }

    private void distributions() {
        List<Series> completion =
                replays.stream().map(SeriesBuilder::completion).toList();
        page.section(
                "Job completion times",
                "Fraction of jobs that completed within a time after their arrival. A line further to the left is better.",
                LinePlot.draw(
                        "Job completion times",
                        Axis.duration("completion time", Math.max(1, min(completion)), max(completion)),
                        Axis.share("fraction of jobs"),
                        completion));
        List<Series> fairness = replays.stream().map(SeriesBuilder::fairness).toList();
        page.section(
                "Finish-time fairness",
                "Completion time divided by the completion time with an equal private share of the cluster. Up to 1, a job"
                        + " completed no later than with a private share.",
                LinePlot.draw(
                        "Finish-time fairness",
                        Axis.logarithmic("finish-time fairness", Math.max(0.01, min(fairness)), max(fairness)),
                        Axis.share("fraction of jobs"),
                        fairness));
    }

    private void overTime() {
        List<Series> queue =
                replays.stream().map(replay -> SeriesBuilder.queue(replay, end)).toList();
        page.section(
                "Queue",
                "Number of waiting jobs over time.",
                LinePlot.draw("Queue", time(), Axis.linear("waiting jobs", 0, top(queue)), queue));
        page.section(
                "Utilization",
                "Fraction of the slots that jobs hold, over time. Restart time counts as held.",
                LinePlot.draw(
                        "Utilization",
                        time(),
                        Axis.share("slots held"),
                        replays.stream()
                                .map(replay -> SeriesBuilder.utilization(replay, end))
                                .toList()));
    }

    private void solver() {
        List<Series> seconds = replays.stream()
                .map(replay -> SeriesBuilder.decisions(replay, end))
                .toList();
        page.section(
                "Decision time",
                "Longest decision of each interval, in wall-clock time of the machine that ran the replay.",
                LinePlot.draw("Decision time", time(), Axis.duration("decision", 0.0001, top(seconds)), seconds));
        List<Series> gaps =
                replays.stream().map(replay -> SeriesBuilder.gaps(replay, end)).toList();
        if (gaps.stream().anyMatch(series -> series.x().length > 0)) {
            page.section(
                    "Optimality gap",
                    "Proven optimality gap of the decisions under the policy's own objective: maximum of each"
                            + " interval. Policies that prove no bound have no dots.",
                    LinePlot.draw("Optimality gap", time(), Axis.linear("gap", 0, Math.max(0.001, top(gaps))), gaps));
        }
    }

    private ValueAxis time() {
        return Axis.linear("time (h)", 0, end / 3600);
    }

    private void pairs() {
        Replay first = replays.get(0);
        List<Series> pairs =
                replays.stream().map(other -> SeriesBuilder.pairs(first, other)).toList();
        double low =
                Math.max(1, pairs.stream().mapToDouble(HtmlReport::leastX).min().orElse(1));
        double high = Math.max(max(pairs), top(pairs));
        page.section(
                "Completion time by job",
                "Each dot is a job: its completion time under %s (horizontal) and under the policy of its color (vertical). Dots"
                                .formatted(first.policy())
                        + " above the diagonal took longer under the policy of their color.",
                LinePlot.draw(
                        "Completion time by job",
                        Axis.duration("under " + first.policy(), low, high),
                        Axis.duration("under the other policy", low, high),
                        pairs));
    }

    private static String ganttNote(Replay replay) {
        String which = replay.jobs().size() > GanttRows.MAX_JOBS
                ? "The first %d of %,d jobs"
                        .formatted(GanttRows.MAX_JOBS, replay.jobs().size())
                : "All jobs";
        return which
                + " in order of arrival. Colors are accelerator types, thin lines are waiting times. Each bar has a tooltip.";
    }

    private static double min(List<Series> series) {
        return series.stream().mapToDouble(HtmlReport::leastX).min().orElse(0);
    }

    private static double leastX(Series series) {
        return Arrays.stream(series.x()).min().orElse(Double.MAX_VALUE);
    }

    private static double max(List<Series> series) {
        return series.stream()
                .flatMapToDouble(own -> Arrays.stream(own.x()))
                .max()
                .orElse(1);
    }

    private static double top(List<Series> series) {
        return series.stream()
                .flatMapToDouble(own -> Arrays.stream(own.y()))
                .max()
                .orElse(1);
    }

    private static String duration(double seconds) {
        if (seconds < 120) {
            return number(seconds) + " s";
        }
        return seconds < 7200 ? number(seconds / 60) + " min" : number(seconds / 3600) + " h";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }
}
