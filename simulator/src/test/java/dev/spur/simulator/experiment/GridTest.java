package dev.spur.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.SolveBudget;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.report.FinishedReplays;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.synthetic.ArrivalProcess;
import dev.spur.simulator.trace.synthetic.DurationDistribution;
import dev.spur.simulator.trace.synthetic.JobStyle;
import dev.spur.simulator.trace.synthetic.SlotDistribution;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridTest {
    private static final Experiment SMALL = new Experiment(
            "small",
            "Does it run?",
            new ClusterFile(List.of(NodeKind.of("V100", 2, 4))),
            new SyntheticSettings(
                    8,
                    1,
                    ArrivalProcess.POISSON,
                    SlotDistribution.GAVEL,
                    DurationDistribution.TIRESIAS,
                    JobStyle.RANGED),
            List.of(0.5, 2.0),
            List.of(Variant.of("eta-greedy"), Variant.of("elastic-fifo"), new Variant("yarn-cs", "fifo", null)),
            List.of(ReplayMetric.MEAN_JCT, ReplayMetric.EFFICIENCY),
            60,
            0.01,
            new SolveBudget(0.1, 10, 1, 1));

    @TempDir
    private Path folder;

    private final List<Cell> replayed = new ArrayList<>();

    private List<Cell> run(FinishedReplays finished, ObjectiveKind objective) throws IOException, InterruptedException {
        replayed.clear();
        GridSettings settings = new GridSettings(SMALL.loads(), 3, Objective.of(objective), 2);
        return new Grid(SMALL, settings, finished, this::note).run();
    }

    private synchronized void note(Cell cell, boolean isNew) {
        if (isNew) {
            replayed.add(cell);
        }
    }

    /** Returns the part of a result that does not depend on wall-clock time. */
    private static String outcome(Cell cell) {
        return "%s %s %s %s %s"
                .formatted(
                        cell.load(),
                        cell.seed(),
                        cell.variant(),
                        cell.summary().meanJctSeconds(),
                        cell.summary().trainingEfficiency());
    }

    @Nested
    class AGrid {
        @Test
        void replaysEachVariantOnceForEachLoadAndSeed() throws Exception {
            List<Cell> cells = run(FinishedReplays.inMemory(), ObjectiveKind.PROGRESS);

            assertThat(cells).hasSize(2 * 3 * 3);
            assertThat(cells.stream().map(GridTest::outcome)).doesNotHaveDuplicates();
            assertThat(cells.stream().limit(3).map(Cell::variant))
                    .containsExactly("eta-greedy", "elastic-fifo", "yarn-cs");
        }

        @Test
        void givesTheSameWhateverItsWorkersDoFirst() throws Exception {
            List<Cell> one = run(FinishedReplays.inMemory(), ObjectiveKind.PROGRESS);
            List<Cell> other = run(FinishedReplays.inMemory(), ObjectiveKind.PROGRESS);

            assertThat(one.stream().map(GridTest::outcome))
                    .containsExactlyElementsOf(
                            other.stream().map(GridTest::outcome).toList());
        }
    }

    @Nested
    class WhoGoesOn {
        private Path file;

        @BeforeEach
        void chooseAFile() {
            file = folder.resolve("kept").resolve("replays.jsonl");
        }

        @Test
        void replaysOnlyWhatIsMissing() throws Exception {
            List<Cell> all = run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);
            List<String> lines = Files.readAllLines(file);
            Files.write(file, lines.subList(0, 5));

            List<Cell> again = run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);

            assertThat(replayed).hasSize(18 - 5);
            assertThat(again.stream().map(GridTest::outcome))
                    .containsExactlyElementsOf(
                            all.stream().map(GridTest::outcome).toList());
            run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);
            assertThat(replayed).isEmpty();
        }

        @Test
        void losesOnlyALineThatWasNotWrittenToItsEnd() throws Exception {
            run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);
            String whole = Files.readString(file);
            Files.writeString(file, whole.substring(0, whole.length() - 20));

            run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);

            assertThat(replayed).hasSize(1);
            run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);
            assertThat(replayed).isEmpty();
        }

        @Test
        void getsTheLineThatIsNoRow() throws Exception {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{\"key\": 1}\n{}\n");

            assertThatThrownBy(() -> FinishedReplays.in(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Line 1");
        }

        @Test
        void replaysRowsOfOtherSettingsAgain() throws Exception {
            run(FinishedReplays.in(file), ObjectiveKind.PROGRESS);

            run(FinishedReplays.in(file), ObjectiveKind.FAIR_GOODPUT);

            assertThat(replayed).hasSize(18);
        }
    }

    @Nested
    class TheResult {
        private static Cell cell(long seed, String variant, double jct) {
            return new Cell(
                    1,
                    seed,
                    variant,
                    new Summary(
                            variant, 1, 0, 0, jct, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, null, null, null, null));
        }

        private final GridResult result = new GridResult(
                SMALL,
                List.of(
                        cell(1, "eta-greedy", 100),
                        cell(1, "elastic-fifo", 90),
                        cell(1, "yarn-cs", 300),
                        cell(2, "eta-greedy", 200),
                        cell(2, "elastic-fifo", 190),
                        cell(2, "yarn-cs", 500)));

        @Test
        void pairsDifferencesBySeed() {
            ConfidenceInterval interval = result.difference(1, SMALL.variants().get(1), ReplayMetric.MEAN_JCT);

            assertThat(interval).isEqualTo(new ConfidenceInterval(-10, 0));
            assertThat(result.mean(1, SMALL.variants().get(1), ReplayMetric.MEAN_JCT)
                            .half())
                    .isGreaterThan(100);
        }

        @Test
        void saysDifferencesAsSharesOfTheFirst() {
            assertThat(result.differences().rows().get(0))
                    .containsExactly("1.00", "elastic-fifo", "-6.7 % ± 0.0", "+0.0 % ± 0.0");
            assertThat(result.differences().rows().get(1).get(2)).startsWith("+166.7 % ± ");
        }

        @Test
        void saysMeansWithTheirIntervals() {
            assertThat(result.means().rows()).hasSize(3);
            assertThat(result.means().rows().get(0)).contains("0.500 ± 0.000");
            assertThat(result.mean(1, SMALL.variants().get(0), ReplayMetric.MEAN_JCT)
                            .mean())
                    .isCloseTo(150, within(1e-9));
        }

        @Test
        void isWrittenAsAPageAndTables() throws IOException {
            GridFiles.write(folder, result);

            assertThat(Files.readString(folder.resolve("page.html"))).contains("<table>", "-6.7 %");
            assertThat(Files.readAllLines(folder.resolve("means.tsv"))).hasSize(4);
            assertThat(folder.resolve("mean-jct.svg")).doesNotExist();
        }

        @Test
        void hasAPlotForEachFigureIfThereAreSeveralLoads() throws Exception {
            GridFiles.write(folder, new GridResult(SMALL, run(FinishedReplays.inMemory(), ObjectiveKind.PROGRESS)));

            assertThat(Files.readString(folder.resolve("mean-jct.svg")))
                    .startsWith("<svg ")
                    .contains("xmlns=\"http://www.w3.org/2000/svg\"", "elastic-fifo");
        }
    }

    @Nested
    class EveryExperiment {
        @Test
        void namesPoliciesThatThereAre() {
            for (Experiment experiment : Experiments.all()) {
                assertThat(experiment.variants())
                        .allMatch(variant ->
                                PolicyRegistry.policy(variant.policy()).isPresent());
                assertThat(Experiments.of(experiment.name())).contains(experiment);
            }
        }
    }
}
