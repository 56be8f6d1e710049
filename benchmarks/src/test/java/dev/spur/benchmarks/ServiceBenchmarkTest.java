package dev.spur.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ServiceBenchmarkTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aServicePlansThreeRounds() {
        int status = Bench.commandLine(List.of(new ServiceBenchmark()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("service", "--tsv", "--size=40x32", "--rounds=3", "--period=1", "--budget=0.5", "--pollers=1");

        assertThat(status).as(err.toString()).isZero();
        assertThat(rows()).hasSize(3).allSatisfy(row -> {
            assertThat(row.get("status")).isIn("PUBLISHED", "UNCHANGED");
            assertThat(Double.parseDouble(row.getOrDefault("gap_percent", ""))).isBetween(0.0, 100.0);
            assertThat(Integer.parseInt(row.getOrDefault("running", ""))).isPositive();
            assertThat(row).containsKeys("seconds", "solve", "snapshot_ms", "plan_ms", "publish_ms", "dual_ms");
        });
        int first = Integer.parseInt(rows().get(0).getOrDefault("round", ""));
        assertThat(rows())
                .extracting(row -> row.get("round"))
                .containsExactly("" + first, "" + (first + 1), "" + (first + 2));
    }

    private List<Map<String, String>> rows() {
        List<List<String>> lines = out.toString()
                .lines()
                .map(line -> Arrays.asList(line.split("\t", -1)))
                .toList();
        return lines.stream().skip(1).map(cells -> row(lines.get(0), cells)).toList();
    }

    private static Map<String, String> row(List<String> header, List<String> cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int column = 0; column < header.size(); column++) {
            row.put(header.get(column), cells.get(column));
        }
        return row;
    }
}
