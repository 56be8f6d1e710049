package dev.spur.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingRecordTest {
    private static final int SAMPLES = 8;

    /** Steps of two samples each by one rank, one per second, of an epoch in the order of the ids. */
    private static List<RankStep> steps(int generation, int begin, int end, double at) {
        return IntStream.range(begin / 2, end / 2)
                .mapToObj(step -> new RankStep(
                        generation,
                        0,
                        at + step - begin / 2.0,
                        2L * step,
                        List.of(2 * step % SAMPLES, 2 * step % SAMPLES + 1)))
                .toList();
    }

    private static TrainingRecord record(List<List<RankStep>> generations) {
        return new TrainingRecord(generations.stream().flatMap(List::stream).toList());
    }

    @Test
    void stepsThatWereTrainedAgainCountOnce() {
        TrainingRecord record = record(List.of(steps(1, 0, 6, 0), steps(2, 4, 12, 10), steps(4, 10, 16, 20)));

        assertThat(record.deviations(SAMPLES, 2)).isEmpty();
        assertThat(record.overlaps()).isEmpty();
        assertThat(record.trainedSamples()).isEqualTo(6 + 8 + 6);
    }

    @Test
    void aGenerationWithoutAnySuccessorDoesNotCount() {
        TrainingRecord record = record(List.of(steps(1, 0, 4, 0), steps(2, 4, 6, 10), steps(3, 4, 8, 20)));

        assertThat(record.deviations(SAMPLES, 1)).isEmpty();
    }

    @Test
    void namesMissingAndRepeatedSamples() {
        TrainingRecord gap = record(List.of(steps(1, 0, 2, 0), steps(2, 4, 8, 10)));
        TrainingRecord twice = record(List.of(steps(1, 0, 8, 0), List.of(new RankStep(1, 1, 0, 0, List.of(1)))));

        assertThat(gap.deviations(SAMPLES, 1)).containsExactly("epoch 1: 2 samples missing, 0 repeated");
        assertThat(twice.deviations(SAMPLES, 1)).containsExactly("epoch 1: 0 samples missing, 1 repeated");
    }

    @Test
    void namesGenerationsThatTrainAtTheSameTime() {
        assertThat(record(List.of(steps(1, 0, 8, 0), steps(2, 4, 8, 2))).overlaps())
                .containsExactly("generation 1 trained 1.0 s after the first step of generation 2");
    }

    @Test
    void namesCheckpointsFromWhichALaterGenerationDidNotBegin() {
        TrainingRecord record = record(List.of(steps(1, 0, 8, 0), steps(2, 4, 8, 10)));

        assertThat(record.losses(List.of(new ReportedCheckpoint(3, 4), new ReportedCheckpoint(11, 8))))
                .isEmpty();
        assertThat(record.losses(List.of(new ReportedCheckpoint(3, 6))))
                .containsExactly("generation 2 began at 4 samples after a checkpoint of 6");
    }

    @Test
    void ignoresALineThatAKillHasCutOff(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("3-1.jsonl"), "{\"at\": 1.5, \"before\": 16, \"ids\": [4, 5]}\n{\"at\": 2");

        TrainingRecord record = TrainingRecord.read(folder);

        assertThat(record.generations()).isEqualTo(1);
        assertThat(record.trainedSamples()).isEqualTo(2);
    }
}
