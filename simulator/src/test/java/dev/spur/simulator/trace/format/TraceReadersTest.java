package dev.spur.simulator.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.simulator.trace.TraceReader;
import org.junit.jupiter.api.Test;

class TraceReadersTest {
    @Test
    void formatsHaveUniqueNames() {
        assertThat(TraceReaders.all()).extracting(TraceReader::format).doesNotHaveDuplicates();
    }

    @Test
    void aFormatIsFoundByItsName() {
        assertThat(TraceReaders.of("philly")).isPresent();
        assertThat(TraceReaders.of("phil")).isEmpty();
    }
}
