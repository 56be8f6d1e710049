package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogPrunerTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final ProcessRuns.LogBounds WIDE =
            new ProcessRuns.LogBounds(1 << 20, 1 << 20, 1000, Duration.ofDays(30));

    @TempDir
    private Path folder;

    private Path living;

    @BeforeEach
    void aLogOfARunThatLives() throws IOException {
        living = log("a", 2, 1000, Duration.ofDays(90));
    }

    private Path log(String job, int generation, int bytes, Duration age) throws IOException {
        Path file = folder.resolve(job).resolve("gen-%04d-rank-0.log".formatted(generation));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x".repeat(bytes));
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
        return file;
    }

    private void prune(ProcessRuns.LogBounds bounds) throws IOException {
        new LogPruner(folder, bounds).prune(Set.of(living), NOW);
    }

    @Test
    void areDeletedByAgeButNotOfARunThatLives() throws IOException {
        Path old = log("a", 1, 10, Duration.ofDays(31));
        Path young = log("b", 1, 10, Duration.ofDays(29));

        prune(WIDE);

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(living).exists();
    }

    @Test
    void areDeletedByTheirNumberTheOldestFirst() throws IOException {
        Path oldest = log("b", 1, 10, Duration.ofDays(3));
        Path older = log("c", 1, 10, Duration.ofDays(2));
        Path newest = log("d", 1, 10, Duration.ofDays(1));

        prune(new ProcessRuns.LogBounds(1 << 20, 1 << 20, 2, Duration.ofDays(30)));

        assertThat(oldest).doesNotExist();
        assertThat(older).doesNotExist();
        assertThat(newest).exists();
        assertThat(living).exists();
    }

    @Test
    void areDeletedByTheirBytesTheOldestFirst() throws IOException {
        Path older = log("b", 1, 500, Duration.ofDays(2));
        Path newest = log("c", 1, 500, Duration.ofDays(1));

        prune(new ProcessRuns.LogBounds(1 << 20, 1500, 1000, Duration.ofDays(30)));
        assertThat(older).doesNotExist();
        assertThat(newest).exists();

        prune(new ProcessRuns.LogBounds(1 << 20, 0, 0, Duration.ZERO));
        assertThat(newest).doesNotExist();
        assertThat(living).exists();
    }

    @Test
    void leaveTheirFolderWhenTheyWereAllThatWasInIt() throws IOException {
        Path empty = log("b", 1, 10, Duration.ofDays(31));
        Path used = log("c", 1, 10, Duration.ofDays(31));
        Path work = Files.writeString(used.resolveSibling("model.bin"), "kept");
        Files.setLastModifiedTime(work, FileTime.from(NOW.minus(Duration.ofDays(300))));

        prune(WIDE);

        assertThat(empty.getParent()).doesNotExist();
        assertThat(work).exists();
    }
}
