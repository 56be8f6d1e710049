package dev.spur.simulator.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuggestingReaderTest {
    private static final String PHILLY = "timestamp,duration,num_gpus,gpu_time,cluster\n0,60,1,60,a\n5,60,2,120,b\n";

    @TempDir
    private Path folder;

    @Test
    void aFileOfTheFormatIsRead() throws IOException {
        assertThat(read("philly", PHILLY).jobs()).hasSize(2);
    }

    @Test
    void rowsWithAnotherNumberOfColumnsAreAnErrorThatNamesTheFormatThatFits() {
        assertThatThrownBy(() -> read("pai", PHILLY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 5 columns in row 1 instead of 10")
                .hasMessageEndingWith("Formats that would fit: philly (2 jobs)");
        assertThatThrownBy(() -> read("pai", "a,b,1,Terminated,0,60,600,29,100,MISC\na,b\n"))
                .hasMessageContaining("has 2 columns in row 2 instead of 10");
    }

    @Test
    void aMissingColumnIsAnErrorThatNamesTheFormatThatFits() {
        assertThatThrownBy(() -> read("helios", PHILLY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no column job_id")
                .hasMessageEndingWith("Formats that would fit: philly (2 jobs)");
    }

    @Test
    void aFileOfWhichNoRowIsReadIsAnErrorThatCountsTheReasons() {
        assertThatThrownBy(() -> read("philly", "timestamp,duration,num_gpus\n0,60,0\n5,0,1\n6,0,1\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no job that format philly can read"
                        + " (1 rows: no accelerator asked for, 2 rows: no time between start and end)")
                .hasMessageContaining("No format reads a job from it");
        assertThatThrownBy(() -> read("philly", "timestamp,duration,num_gpus\n"))
                .hasMessageContaining("(no row)");
    }

    @Test
    void theStandardWorkloadFormatIsNotReadAsNothing() {
        assertThatThrownBy(() -> read("pai", "; Version: 2.2\n  1 0 10 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 1 columns in row 1 instead of 10");
    }

    @Test
    void aMissingFileIsReportedAsSuch() {
        Path missing = folder.resolve("missing.csv");

        assertThatThrownBy(() -> TraceReaders.of("philly").orElseThrow().read(missing, options()))
                .isInstanceOf(NoSuchFileException.class);
    }

    private Trace read(String format, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("trace.csv"), text);
        return TraceReaders.of(format).orElseThrow().read(file, options());
    }

    private static ReadOptions options() {
        return new ReadOptions(List.of(), InformationLevel.ORACLE, null, 1);
    }
}
