package dev.spur.benchmarks.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExamplePlotTest {
    private final ExamplePlot plot = ExamplePlot.ofTheContract();

    @Test
    void theDocumentationShowsIt() throws IOException {
        assertThat(Files.readString(Path.of("../docs/images/recommendation.svg")))
                .isEqualTo(plot.svg());
    }

    @Test
    void theFrontIsAmongTheOptionsAndTheChosenOneIsOnIt() {
        assertThat(plot.options()).containsAll(plot.found().front());
        assertThat(plot.found().front()).contains(plot.found().chosen());
        assertThat(plot.svg().split("<circle")).hasSize(1 + plot.options().size() + 1);
    }
}
