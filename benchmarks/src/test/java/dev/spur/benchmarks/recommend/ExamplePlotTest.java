package dev.spur.benchmarks.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExamplePlotTest {
    private final ExamplePlot plot = ExamplePlot.ofTheContract();

    @Test
    void theDocumentationShowsIt() throws IOException {
        assertThat(texts(Files.readString(Path.of("../docs/images/recommendation.svg"))))
                .isEqualTo(texts(plot.svg()));
    }

    /** Labels and ticks. Positions depend on the fonts of the machine. */
    private static List<String> texts(String svg) {
        return Pattern.compile(">([^<]+)</text")
                .matcher(svg)
                .results()
                .map((MatchResult text) -> text.group(1))
                .toList();
    }

    @Test
    void theFrontIsAmongTheOptionsAndTheChosenOneIsOnIt() {
        assertThat(plot.options()).containsAll(plot.found().front());
        assertThat(plot.found().front()).contains(plot.found().chosen());
    }
}
