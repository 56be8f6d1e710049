package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.service.database.postgres.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration that the README shows: it checks itself what is trained, and ends with a status that says so. */
@Tag("training")
class TrainingDemoTest {
    private static final Path DEMO =
            Path.of("..", "examples", "training", "demo.py").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void jobsStartGrowShrinkMoveAndEndWithTheLossOfARunWithoutSpur() throws Exception {
        assumeTrue(hasPython(), "python3 is missing, so nothing is trained");
        SpurProcess.Result result = demo("--built-in");

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("long starts on the two slots", "long grows", "long shrinks", "long moves")
                .containsPattern("long: 16000 samples, loss .*, alone ");
    }

    @Test
    void pyTorchTrainingsShowEachKindOfChangeAndEndWithTheLossOfARunWithoutSpur() throws Exception {
        assumeTrue(
                ReconfiguredTrainingTest.pythonWithTorch().isPresent(),
                "no python3 has torch: apt-get install python3-torch");
        SpurProcess.Result result = demo();

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output())
                .contains(
                        "RECONFIGURE from 1 rank with batch 16 to 1 rank with batch",
                        "RESCALE from 1 rank with batch 16 to 2 ranks",
                        "MIGRATE from 2 ranks with batch 16 to 2 ranks",
                        "restart from 2 ranks with batch 16 to 2 ranks")
                .containsPattern("cnn: 6400 samples, loss .*, alone ");
    }

    private SpurProcess.Result demo(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "python3",
                DEMO.toString(),
                "--spur",
                SpurProcess.frontDoor(folder).toString()));
        words.addAll(List.of(options));
        try (var database = TestDatabase.migrated();
                var demo = SpurProcess.start(words, database.environment())) {
            return demo.awaitEnd();
        }
    }

    static boolean hasPython() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
    }
}
