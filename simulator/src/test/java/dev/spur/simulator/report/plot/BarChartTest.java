package dev.spur.simulator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BarChartTest {
    @Test
    void showsNamesOfAnyLengthAndLabels() {
        for (String name : List.of("fifo", "elasticflow-program", "gavel-finish-time-fairness-program")) {
            String chart = BarChart.draw("mean JCT", List.of(name, "spur"), new double[] {2, 1}, List.of("2 s", "1 s"));

            assertThat(chart).contains(">" + name + "</text", ">spur</text", ">2 s</text", ">1 s</text");
        }
    }

    @Test
    void isTheSameEachTimeAndEscapesNames() {
        String chart = BarChart.draw("<b>$1'", List.of("a<b>&\""), new double[] {1}, List.of("<i>"));

        assertThat(chart)
                .isEqualTo(BarChart.draw("<b>$1'", List.of("a<b>&\""), new double[] {1}, List.of("<i>")))
                .contains("aria-label=\"&lt;b&gt;$1", "a&lt;b&gt;&amp;")
                .doesNotContain("<b>", "<i>");
    }
}
