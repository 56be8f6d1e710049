package dev.spur.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.benchmarks.instance.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthTest {
    @Test
    void theExponentOfAPowerIsFound() {
        double[] x = {10, 100, 1000};
        double[] y = Arrays.stream(x).map(value -> 3 * Math.pow(value, 1.5)).toArray();

        assertThat(Growth.exponent(x, y)).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void plotsShowWhereMostSizesShareTheOtherNumber(@TempDir Path folder) throws IOException {
        Growth growth = new Growth();
        growth.add("core", new Size(1000, 64), 9);
        growth.add("core", new Size(1000, 2048), 1);
        growth.add("core", new Size(2000, 2048), 4);
        growth.add("core", new Size(4000, 2048), 16);

        growth.write(folder, "here & now");

        assertThat(Files.readString(folder.resolve("growth-jobs.svg")))
                .contains("against jobs, 2,048 slots", ">core (exponent 2.00)<", "here &amp; now");
        assertThat(Files.readString(folder.resolve("growth-slots.svg"))).contains("against slots, 1,000 jobs");
    }

    @Test
    void oneSizeMakesNoPlot(@TempDir Path folder) throws IOException {
        Growth growth = new Growth();
        growth.add("core", new Size(1000, 64), 9);

        growth.write(folder, "");

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void sizesAndKindsAreReadAsPeopleTypeThem() {
        assertThat(Size.parse("1000x2048")).isEqualTo(new Size(1000, 2048));
        assertThat(SizeBudgets.parse("64x32", List.of(20.0)))
                .isEqualTo(new SizeBudgets(new Size(64, 32), List.of(20.0)));
        assertThat(SizeBudgets.parse("64x32@0.5/2", List.of(20.0)).budgets()).containsExactly(0.5, 2.0);
        assertThat(ConstraintSet.parse("quotas+closed-nodes").get(0).features())
                .containsExactlyInAnyOrder(Feature.QUOTAS, Feature.CLOSED_NODES);
        assertThat(ConstraintSet.parse("unlimited").get(0).features())
                .doesNotContain(Feature.RESTART_LIMIT)
                .contains(Feature.RESTARTS, Feature.QUOTAS);
        assertThat(ConstraintSet.parse("each")).hasSize(Feature.values().length + 2);
        assertThat(SolverVariants.parse(List.of("core", "pop")).keySet())
                .containsExactly("core", "pop2", "pop4", "pop8");
        assertThatThrownBy(() -> Size.parse("1000")).hasMessageContaining("1000x2048");
        assertThatThrownBy(() -> SizeBudgets.parse("64x32@", List.of())).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> ConstraintSet.parse("colour")).hasMessageContaining("colour");
        assertThatThrownBy(() -> SolverVariants.parse(List.of("magic"))).hasMessageContaining("magic");
    }
}
