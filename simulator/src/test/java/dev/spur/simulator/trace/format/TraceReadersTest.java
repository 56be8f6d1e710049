package dev.spur.simulator.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TraceReadersTest {
    @Test
    void formatsHaveUniqueNames() {
        assertThat(TraceReaders.all()).extracting(TraceReader::format).doesNotHaveDuplicates();
    }

    @Test
    void everyFormatIsInTheDocumentation() throws IOException {
        String document = Files.readString(Path.of("../docs/reference/trace-formats.md"));

        assertThat(TraceReaders.all()).allSatisfy(reader -> assertThat(document).contains("`" + reader.format() + "`"));
    }

    @Test
    void aFormatIsFoundByItsName() {
        assertThat(TraceReaders.of("philly")).isPresent();
        assertThat(TraceReaders.of("phil")).isEmpty();
    }
}
