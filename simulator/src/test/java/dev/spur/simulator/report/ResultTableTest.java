package dev.spur.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ResultTableTest {
    @Test
    void aColumnFollowsTheOneThatPrecedesItInItsFirstRow() {
        ResultTable table = ResultTable.of(List.of(row("a", "c"), row("a", "b", "c"), row("d", "a")));

        assertThat(table.header()).containsExactly("d", "a", "b", "c");
        assertThat(table.rows())
                .containsExactly(List.of("", "A", "", "C"), List.of("", "A", "B", "C"), List.of("D", "A", "", ""));
    }

    @Test
    void numbersAreAlignedToTheRightAndNamesToTheLeft() {
        ResultTable table = new ResultTable(
                List.of("policy", "mean (s)", "gap"),
                List.of(List.of("spur", "7.25", "-"), List.of("sia-program", "-107.5", "0.1 %")));

        assertThat(table.asText()).isEqualTo("""
                        policy       mean (s)    gap
                        spur             7.25      -
                        sia-program    -107.5  0.1 %""");
    }

    private static Map<String, String> row(String... columns) {
        Map<String, String> row = new LinkedHashMap<>();
        for (String column : columns) {
            row.put(column, column.toUpperCase(Locale.ROOT));
        }
        return row;
    }

    @Test
    void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
        assertThat(new Distribution(DoubleStream.of(5, 1, 2)).quantile(0.5)).isEqualTo(2);
        assertThat(new Distribution(DoubleStream.of(5, 1, 2, 4)).quantile(0.5)).isEqualTo(3);
    }
}
