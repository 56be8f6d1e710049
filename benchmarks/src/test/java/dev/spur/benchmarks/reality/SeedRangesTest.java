package dev.spur.benchmarks.reality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class SeedRangesTest {
    private final SeedRanges.Converter converter = new SeedRanges.Converter();

    @Test
    void rangesIncludeBothBounds() {
        assertThat(converter.convert("1-3,101").seeds()).containsExactly(1L, 2L, 3L, 101L);
    }

    @Test
    void otherTextIsRefused() {
        assertThatThrownBy(() -> converter.convert("1-x"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'1-x' is not a list of seeds");
        assertThatThrownBy(() -> converter.convert("")).isInstanceOf(TypeConversionException.class);
        assertThatThrownBy(() -> converter.convert("4-1")).isInstanceOf(TypeConversionException.class);
    }
}
