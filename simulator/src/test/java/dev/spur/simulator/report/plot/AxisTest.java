package dev.spur.simulator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jfree.chart.axis.ValueAxis;
import org.junit.jupiter.api.Test;

class AxisTest {
    private static final Pattern TEXT = Pattern.compile(">([^<]+)</text");
    private static final ValueAxis SHARE = Axis.share("jobs");

    /** The labels of the vertical axis above those of the horizontal one. */
    private static List<String> labels(ValueAxis across) {
        String plot = LinePlot.draw("plot", across, SHARE, List.of());
        return TEXT.matcher(plot)
                .results()
                .map((MatchResult text) -> text.group(1))
                .toList();
    }

    @Test
    void linearMarksAreRoundAndCoverTheRange() {
        assertThat(labels(Axis.linear("hours", 0, 23))).contains("0", "5", "10", "15", "20", "80 %", "hours", "jobs");
        assertThat(labels(Axis.linear("gap", 0, 0.004))).contains("0.0005", "0.0015");
    }

    @Test
    void durationsAreMarkedInTheirOwnUnits() {
        assertThat(labels(Axis.duration("time", 0.001, 100_000)))
                .contains("1 ms", "10 ms", "1 s", "10 min", "1 h", "10 h", "1 d")
                .doesNotContain("10 d");
    }

    @Test
    void shortLogarithmicAxesAreMarkedAtTwoAndFive() {
        assertThat(labels(Axis.logarithmic("jobs", 400, 12_000))).contains("500", "1,000", "2,000", "10,000");
        assertThat(labels(Axis.logarithmic("jobs", 0.01, 10_000)))
                .contains("0.01", "10")
                .doesNotContain("20");
    }

    @Test
    void aRangeWithoutLengthIsWidened() {
        assertThat(Axis.linear("jobs", 0, 0).getRange().getLength()).isEqualTo(1);
        assertThat(Axis.logarithmic("fairness", 2, 2).getUpperBound()).isEqualTo(20);
    }

    @Test
    void valuesOutsideAreDrawnAtTheEnds() {
        Series series = Series.ofPoints("jobs", new double[] {0, 1e9}, new double[] {0, 2});

        String plot = LinePlot.draw("plot", Axis.duration("time", 1, 100), SHARE, List.of(series));

        assertThat(plot).doesNotContain("NaN", "Infinity");
    }
}
