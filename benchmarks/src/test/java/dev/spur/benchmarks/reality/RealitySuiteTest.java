package dev.spur.benchmarks.reality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealitySuiteTest {
    private static final List<String> CLASSES = List.of("rigid-estimated", "quotas-half");
    private static final List<String> POLICIES = List.of("fifo", "easy-backfill", "srtf");

    @TempDir
    private Path folder;

    @Test
    void eachClassHasARowForEachPolicy() throws Exception {
        ResultTable table = run(2).byPolicy();

        assertThat(table.rows())
                .extracting(row -> row.subList(0, 2))
                .containsExactly(
                        List.of("rigid-estimated", "fifo"),
                        List.of("rigid-estimated", "easy-backfill"),
                        List.of("rigid-estimated", "srtf"),
                        List.of("quotas-half", "fifo"),
                        List.of("quotas-half", "easy-backfill"),
                        List.of("quotas-half", "srtf"));
    }

    @Test
    void eachClassHasARowInTheSummary() throws Exception {
        assertThat(run(2).summary().rows()).extracting(row -> row.get(0)).containsExactlyElementsOf(CLASSES);
    }

    @Test
    void theBestPolicyOfAScenarioHasNoRegret() throws Exception {
        ResultTable table = run(2).byPolicy();

        for (String name : CLASSES) {
            assertThat(table.rows().stream().filter(row -> row.get(0).equals(name)))
                    .extracting(row -> Double.parseDouble(cell(table, row, "mean_regret_percent")))
                    .allMatch(regret -> regret >= 0)
                    .contains(0.0);
        }
    }

    @Test
    void equalSeedsGiveEqualFiguresWithAnyNumberOfWorkers() throws Exception {
        assertThat(withoutWallTime(run(1).byPolicy())).isEqualTo(withoutWallTime(run(2).byPolicy()));
        assertThat(run(1).summary()).isEqualTo(run(2).summary());
    }

    @Test
    void progressIsReportedForEachReplay() throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        suite(CLASSES, 2).run("fifo", null, lines::add);

        assertThat(lines).hasSize(6).anyMatch(line -> line.startsWith("6 of 6: "));
    }

    @Test
    void theFileHasARowForEachReplay() throws Exception {
        Path json = folder.resolve("rows.json");
        suite(CLASSES, 2).run("fifo", json, line -> {});

        assertThat(Files.readString(json).split("\"meanJctSeconds\"", -1)).hasSize(1 + 6);
    }

    @Test
    void namesSelectByTheirBeginning() throws Exception {
        ResultTable table = suite(List.of("field-t*"), 2).run("fifo", null, line -> {}).summary();

        assertThat(table.rows())
                .extracting(row -> row.get(0))
                .containsExactly(
                        "field-ten-of-15min",
                        "field-ten-of-1h",
                        "field-three-of-12h",
                        "field-three-of-5d",
                        "field-two-prices");
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> suite(List.of("no-such"), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("There is no class no-such, but: rigid-known");
        assertThatThrownBy(() ->
                        new RealitySuite(CLASSES, List.of(1L), List.of("no-such"), 8, new DecisionEffort(0, 1), 1))
                .hasMessageContaining("There is no policy no-such");
    }

    private static RealitySuite.Tables run(int workers) throws IOException, InterruptedException {
        return suite(CLASSES, workers).run("fifo", null, line -> {});
    }

    private static RealitySuite suite(List<String> classes, int workers) {
        return new RealitySuite(classes, List.of(7L), POLICIES, 8, new DecisionEffort(0.01, 0.01), workers);
    }

    private static String cell(ResultTable table, List<String> row, String column) {
        return row.get(table.header().indexOf(column));
    }

    private static List<List<String>> withoutWallTime(ResultTable table) {
        int wall = table.header().indexOf("wall_s");
        return table.rows().stream().map(row -> row.subList(0, wall)).toList();
    }
}
