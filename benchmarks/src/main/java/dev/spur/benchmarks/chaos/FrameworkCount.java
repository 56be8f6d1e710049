package dev.spur.benchmarks.chaos;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Counts of the jobs of a framework. */
final class FrameworkCount {
    static final List<String> HEADER = List.of(
            "framework",
            "acknowledged",
            "done",
            "generations",
            "samples_stated",
            "samples_trained",
            "samples_repeated",
            "checkpoints_loaded");

    long acknowledged;
    long done;
    long generations;
    /** Samples that the jobs state. */
    long stated;
    /** Samples of the jobs whose final state has seen each sample once per epoch. */
    long trained;
    /** Samples that were trained again after the checkpoint from which a generation began. */
    long repeated;

    long checkpoints;

    void add(FrameworkCount other) {
        acknowledged += other.acknowledged;
        done += other.done;
        generations += other.generations;
        stated += other.stated;
        trained += other.trained;
        repeated += other.repeated;
        checkpoints += other.checkpoints;
    }

    List<String> row(String framework) {
        return Stream.concat(
                        Stream.of(framework),
                        LongStream.of(acknowledged, done, generations, stated, trained, repeated, checkpoints)
                                .mapToObj(Long::toString))
                .toList();
    }
}
