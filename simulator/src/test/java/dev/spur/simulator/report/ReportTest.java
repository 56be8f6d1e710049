package dev.spur.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.replay.RoundSample;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.testing.Traces;
import dev.spur.solver.policy.Policies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
    @TempDir
    private Path folder;

    @Nested
    class TheSummary {
        private final Replay replay = new Replay(
                "test",
                "synthetic",
                4,
                List.of(
                        new JobOutcome("a", 100, 110.0, 200.0, 0, 90, 80, 0, 0.5),
                        new JobOutcome("b", 100, 140.0, 400.0, 3, 520, 300, 0, 2.5),
                        new JobOutcome("c", 150, 150.0, 500.0, 0, 350, 340, 0, 1.0),
                        new JobOutcome("d", 150, null, null, 0, 0, 0, 0, null)),
                List.of("giant"),
                List.of(
                        new RoundSample(100, 1, 1, 1, 0.1, 0.2),
                        new RoundSample(160, 1, 1, 1, 0.3, null),
                        new RoundSample(220, 1, 1, 1, 0.2, 0.4)),
                List.of(),
                3);
        private final Summary summary = Summary.of(replay);

        @Test
        void countsWhatEnded() {
            assertThat(summary.jobs()).isEqualTo(3);
            assertThat(summary.unfinished()).isEqualTo(1);
            assertThat(summary.rejected()).isEqualTo(1);
        }

        @Test
        void measuresTimesFromTheArrival() {
            assertThat(summary.meanJctSeconds()).isCloseTo((100 + 300 + 350) / 3.0, within(1e-9));
            assertThat(summary.medianJctSeconds()).isEqualTo(300);
            assertThat(summary.p99JctSeconds()).isCloseTo(300 + 0.98 * 50, within(1e-9));
            assertThat(summary.meanQueueingSeconds()).isCloseTo((10 + 40) / 3.0, within(1e-9));
            assertThat(summary.meanTrainingSeconds()).isCloseTo((90 + 260 + 350) / 3.0, within(1e-9));
            assertThat(summary.makespanSeconds()).isEqualTo(400);
        }

        @Test
        void measuresUseAndFairness() {
            assertThat(summary.gpuHours()).isCloseTo(960 / 3600.0, within(1e-9));
            assertThat(summary.utilization()).isCloseTo(960 / 1600.0, within(1e-9));
            assertThat(summary.trainingEfficiency()).isCloseTo(720 / 960.0, within(1e-9));
            assertThat(summary.restartsPerJob()).isEqualTo(0.75);
            assertThat(summary.worstFairness()).isEqualTo(2.5);
        }

        @Test
        void measuresDecisions() {
            assertThat(summary.meanDecisionSeconds()).isCloseTo(0.2, within(1e-9));
            assertThat(summary.maxDecisionSeconds()).isEqualTo(0.3);
            assertThat(summary.meanGap()).isCloseTo(0.3, within(1e-9));
            assertThat(summary.medianGap()).isCloseTo(0.3, within(1e-9));
            assertThat(summary.p99Gap()).isCloseTo(0.398, within(1e-9));
            assertThat(summary.maxGap()).isCloseTo(0.4, within(1e-9));
        }
    }

    @Nested
    class TheFiles {
        private final List<Replay> replays = replays();

        @Test
        void holdARowForEachThing() throws IOException {
            ResultFiles.writeCsv(folder, replays);

            assertThat(Files.readAllLines(folder.resolve("policies.csv"))).hasSize(3);
            assertThat(Files.readAllLines(folder.resolve("jobs.csv")))
                    .hasSize(1 + 40)
                    .startsWith(
                            "policy,job,arrival,first_start,end,restarts,slot_seconds,useful_slot_seconds,lost_samples,"
                                    + "finish_time_fairness");
            int rounds =
                    replays.stream().mapToInt(replay -> replay.rounds().size()).sum();
            assertThat(Files.readAllLines(folder.resolve("rounds.csv"))).hasSize(1 + rounds);
            assertThat(Files.readString(folder.resolve("allocations.csv"))).contains("a100-0:");
        }

        @Test
        void holdTheSameAsJson() throws IOException {
            ResultFiles.writeJson(folder.resolve("all.json"), replays);

            assertThat(Files.readString(folder.resolve("all.json")))
                    .startsWith("{")
                    .contains("\"trace\":\"synthetic\"", "\"meanJctSeconds\":", "\"firstStart\":", "\"usedSlots\":");
        }
    }

    @Nested
    class ThePage {
        private static final Pattern SVG = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL);

        @Test
        void showsEveryPlotAndNeedsNothingBesideItself() throws Exception {
            Path file = folder.resolve("report.html");

            HtmlReport.write(file, replays());

            String html = Files.readString(file);
            assertThat(html)
                    .contains(
                            "Policy comparison",
                            "Job completion times",
                            "Finish-time fairness",
                            "Queue",
                            "Utilization",
                            "Decision time",
                            "Optimality gap",
                            "Completion time by job",
                            "Allocations under in-order",
                            "Allocations under spur")
                    .doesNotContain("http", "<script", "<link", "NaN", "Infinity")
                    .doesNotContainPattern("url\\((?!#)");
            List<String> plots =
                    SVG.matcher(html).results().map(found -> found.group()).toList();
            assertThat(plots).hasSize(8 + 7 + 2);
            for (String plot : plots) {
                assertThat(DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(new InputSource(new StringReader(plot)))
                                .getDocumentElement()
                                .getTagName())
                        .isEqualTo("svg");
            }
        }

        @Test
        void isNotBrokenByNamesFromTraces() throws IOException {
            Replay odd = Replayer.replay(
                    Traces.trace(Traces.job("<b>\"&", 0, 100)),
                    Traces.cluster(1, 1),
                    new FifoTestPolicy(true),
                    ReplaySettings.DEFAULT,
                    ProgressListener.NONE);

            HtmlReport.write(folder.resolve("odd.html"), List.of(odd));

            assertThat(Files.readString(folder.resolve("odd.html")))
                    .contains("&lt;b&gt;\"&amp;")
                    .doesNotContain("<b>");
        }
    }

    @Nested
    class TheProgressBar {
        private final StringWriter text = new StringWriter();
        private final AtomicLong nanos = new AtomicLong();
        private final ProgressBar bar = new ProgressBar(new PrintWriter(text), "spur", nanos::get);

        @Test
        void isNotShownByShortReplays() {
            bar.at(60, 5, 10);
            bar.close();

            assertThat(text.toString()).isEmpty();
        }

        @Test
        void showsHowFarItIsAndIsWipedInTheEnd() {
            nanos.set(2_000_000_000L);
            bar.at(43_200, 5, 10);
            assertThat(text.toString()).contains(" 50 %", "5 of 10 jobs", "day 0.5");

            bar.close();
            assertThat(text.toString()).endsWith(" \r");
        }

        @Test
        void isWrittenOnceForEachPercent() {
            nanos.set(2_000_000_000L);
            bar.at(43_200, 5, 10);
            String once = text.toString();
            nanos.set(9_000_000_000L);
            bar.at(43_260, 5, 10);

            assertThat(text.toString()).isEqualTo(once);
        }
    }

    private static List<Replay> replays() {
        var trace = Traces.random(20, 2000, 5);
        var cluster = Traces.cluster(2, 4);
        return List.of(
                Replayer.replay(trace, cluster, Policies.spur(), ReplaySettings.DEFAULT, ProgressListener.NONE),
                Replayer.replay(
                        trace, cluster, new FifoTestPolicy(true), ReplaySettings.DEFAULT, ProgressListener.NONE));
    }
}
