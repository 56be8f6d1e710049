package dev.spur.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAnnotation.HostSpeed;
import dev.spur.connectors.JobAnnotation.Speed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobAnnotationTest {
    @Nested
    class WhatAnOwnerSays {
        @ParameterizedTest
        @ValueSource(strings = {"", "mnist", "for spur", "spurious", "Spur"})
        void isNotForSpurUnlessItBeginsSo(String text) {
            assertThat(JobAnnotation.read(text)).isEqualTo(JobAnnotation.NONE);
        }

        @Test
        void isReadWordByWord() {
            JobAnnotation words =
                    JobAnnotation.read("spur family=resnet gpus=2-16, batch=256  signal=SIGUSR1@60,fixed");

            assertThat(words.errors()).isEmpty();
            assertThat(words.value("family")).contains("resnet");
            assertThat(words.range("gpus")).contains(new JobAnnotation.Range(2, 16));
            assertThat(words.range("batch")).contains(new JobAnnotation.Range(256, 256));
            assertThat(words.signal()).contains(new JobAnnotation.Signal("USR1", 60));
            assertThat(words.has("fixed")).isTrue();
        }

        @Test
        void isTakenIntoAccountWordByWordOrNotAtAll() {
            assertThat(JobAnnotation.read("spur gpu=2 gpus=8-2 batch=0 priority=11 fixed=no family= family=a")
                            .errors())
                    .containsExactly(
                            "unknown setting gpu",
                            "invalid value of gpus: \"8-2\"",
                            "invalid value of batch: \"0\"",
                            "invalid value of priority: \"11\"",
                            "invalid value of fixed: \"no\"",
                            "invalid value of family: \"\"",
                            "family is set twice");
        }

        @Test
        void isCheckedForTimesAndNumbers() {
            assertThat(JobAnnotation.read("spur deadline=tomorrow noise=-1 efficiency=64:2 cpus=many device-batch=0"
                                    + " elastic-batch=512")
                            .errors())
                    .containsExactly(
                            "invalid value of deadline: \"tomorrow\"",
                            "invalid value of noise: \"-1\"",
                            "invalid value of efficiency: \"64:2\"",
                            "invalid value of cpus: \"many\"",
                            "invalid value of device-batch: \"0\"",
                            "invalid value of elastic-batch: \"512\"");
        }

        @Test
        void precedesThePlatform() {
            Optional<String> stated = Optional.of("8");

            assertThat(JobAnnotation.read("spur cpus=2")
                            .withDefault("cpus", stated)
                            .number("cpus"))
                    .isEqualTo(2);
            assertThat(JobAnnotation.read("spur").withDefault("cpus", stated).number("cpus"))
                    .isEqualTo(8);
            assertThat(JobAnnotation.NONE.withDefault("cpus", stated)).isEqualTo(JobAnnotation.NONE);
        }
    }

    @Nested
    class AWordOfOnePlatform {
        @Test
        void isUnderstoodThereAndNowhereElse() {
            JobAnnotation there = JobAnnotation.read("spur pools=gpu+spot", Set.of("pools"));

            assertThat(there.errors()).isEmpty();
            assertThat(there.names("pools")).containsExactly("gpu", "spot");
            assertThat(JobAnnotation.read("spur pools=gpu").errors()).containsExactly("unknown setting pools");
            assertThat(JobAnnotation.NONE.names("pools")).isEmpty();
        }

        @Test
        void mayBeHostLevels() {
            Set<String> further = Set.of(JobAnnotation.HOST_LEVELS);
            JobAnnotation words = JobAnnotation.read("spur host-levels=6:32:1+2.5:16:0.75", further);

            assertThat(words.errors()).isEmpty();
            assertThat(words.hostSpeeds()).containsExactly(new HostSpeed(6, 32, 1), new HostSpeed(2.5, 16, 0.75));
            assertThat(JobAnnotation.NONE.hostSpeeds()).isEmpty();
            for (String wrong : List.of("6:32", "6:32:1+", "0:32:1", "6:0:1", "6:32:0", "-6:32:1")) {
                assertThat(JobAnnotation.read("spur host-levels=" + wrong, further)
                                .errors())
                        .as(wrong)
                        .hasSize(1);
            }
            assertThat(JobAnnotation.read("spur host-levels=6:32:1").errors())
                    .containsExactly("unknown setting host-levels");
        }

        @Test
        void mayBeSpeedsThatWereMeasured() {
            Set<String> further = Set.of("speeds", "gradients", "aggregation");
            JobAnnotation words = JobAnnotation.read(
                    "spur speeds=4:256:0:900+4:256:2:1500.5 gradients=102400000 aggregation=1-4", further);

            assertThat(words.errors()).isEmpty();
            assertThat(words.speeds()).containsExactly(new Speed(4, 256, 0, 900), new Speed(4, 256, 2, 1500.5));
            assertThat(JobAnnotation.read("spur speeds=4:256:900 gradients=0 aggregation=0-2", further)
                            .errors())
                    .hasSize(3);
        }
    }

    @Nested
    class AMark {
        private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00.7Z");

        @Test
        void isReadAsItWasWritten() {
            LastAppliedState runs = new LastAppliedState(17, JobPlacement.of(Map.of("gpu1", 4, "gpu-2.x", 8)), SINCE);
            LastAppliedState holds = new LastAppliedState(0, JobPlacement.NONE, SINCE);

            assertThat(LastAppliedState.read(runs.text())).contains(runs);
            assertThat(LastAppliedState.read(holds.text())).contains(holds);
            assertThat(holds.text()).isEqualTo("spur rev=0 since=1795341600 hold");
        }

        @Test
        void statesTheBatchThatTheJobReads() {
            JobPlacement there = JobPlacement.of(Map.of("gpu1", 4)).withBatch(512);
            LastAppliedState runs = new LastAppliedState(17, there, SINCE);

            assertThat(LastAppliedState.read(runs.text())).contains(runs);
            assertThat(runs.text()).isEqualTo("spur rev=17 since=1795341600 run=gpu1:4 batch=512");
            assertThat(JobPlacement.NONE.withBatch(512)).isEqualTo(JobPlacement.NONE);
        }

        @Test
        void statesTheHostThatEachSlotIsGranted() {
            JobPlacement there = JobPlacement.of(Map.of("gpu1", 4)).withHost(HostResources.of(2.5, 32));
            LastAppliedState runs = new LastAppliedState(17, there, SINCE);
            LastAppliedState both = new LastAppliedState(17, there.withBatch(512), SINCE);

            assertThat(LastAppliedState.read(runs.text())).contains(runs);
            assertThat(LastAppliedState.read(both.text())).contains(both);
            assertThat(both.text())
                    .isEqualTo("spur rev=17 since=1795341600 run=gpu1:4 batch=512 cpus=2500m memory=32768Mi");
            assertThat(JobPlacement.NONE.withHost(HostResources.of(1, 1))).isEqualTo(JobPlacement.NONE);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "a note",
                    "spur rev=1 hold",
                    "spur rev=1 since=1 run=gpu1",
                    "spur rev=1 since=1 run=gpu1:0",
                    "spur rev=1 since=1 run=gpu1:1 batch=0",
                    "spur rev=1 since=1 run=gpu1:1 cpus=1000m",
                    "spur rev=1 since=1 run=gpu1:1 cpus=0m memory=8Mi",
                    "spur rev=1 since=1 hold cpus=1000m memory=8Mi",
                    "spur rev=1 since=1 hold batch=8"
                })
        void isNotReadIntoWhatOthersWrote(String text) {
            assertThat(LastAppliedState.read(text)).isEmpty();
        }
    }
}
