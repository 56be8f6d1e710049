package dev.spur.simulator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BarChartTest {
    private static final Pattern END_OF_NAME = Pattern.compile("<text x=\"([0-9.]+)\"[^>]*class=\"mark end\"");

    @Test
    void namesHaveRoomToTheLeftOfTheBarsHoweverLongTheyAre() {
        for (String name : List.of("fifo", "elasticflow-program", "gavel-finish-time-fairness-program")) {
            String chart = BarChart.draw("mean JCT", List.of(name, "spur"), new double[] {2, 1}, List.of("2 s", "1 s"));

            List<Double> ends = END_OF_NAME
                    .matcher(chart)
                    .results()
                    .map((MatchResult end) -> Double.valueOf(end.group(1)))
                    .toList();
            assertThat(ends).as(chart).hasSize(2).allMatch(end -> end >= 6 * name.length());
        }
    }
}
