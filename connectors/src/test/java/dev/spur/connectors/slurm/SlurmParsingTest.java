package dev.spur.connectors.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Texts as Slurm writes them. */
class SlurmParsingTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

    @Nested
    class AListOfHosts {
        @Test
        void isWrittenOut() {
            assertThat(HostList.expand("")).isEmpty();
            assertThat(HostList.expand("gpu1")).containsExactly("gpu1");
            assertThat(HostList.expand("cpu1,gpu[01-03,7]")).containsExactly("cpu1", "gpu01", "gpu02", "gpu03", "gpu7");
            assertThat(HostList.expand("r[1-2]-n,x9")).containsExactly("r1-n", "r2-n", "x9");
        }
    }

    @Nested
    class Gpus {
        @Test
        void areCountedByType() {
            assertThat(Gres.all("gpu:h200:8(S:0-1)")).containsExactly(new Gres("h200", 8));
            assertThat(Gres.all("gpu:a100:4,license:2,gpu:v100:2"))
                    .containsExactly(new Gres("a100", 4), new Gres("v100", 2));
            assertThat(Gres.all("gpu:a100_3g.20gb:2(S:0),gpu:1g.5gb:7"))
                    .containsExactly(new Gres("a100_3g.20gb", 2), new Gres("1g.5gb", 7));
            assertThat(Gres.count("gpu:1g.5gb:3(IDX:0-2)")).isEqualTo(3);
            assertThat(Gres.all("gpu:8")).containsExactly(new Gres("", 8));
            assertThat(Gres.all("gres:gpu")).containsExactly(new Gres("", 1));
            assertThat(Gres.all("(null)")).isEmpty();
            assertThat(Gres.count("gpu:h200:4(IDX:0-3)")).isEqualTo(4);
            assertThat(Gres.count("gpu:h200:0(IDX:N/A)")).isZero();
        }

        @Test
        void areAskedForWithATypeOnlyIfTheyWereBefore() {
            assertThat(Gres.request("gres:gpu:4", 8)).isEqualTo("gres:gpu:8");
            assertThat(Gres.request("gres:gpu:h200:4", 8)).isEqualTo("gres:gpu:h200:8");
            assertThat(Gres.request("gres:gpu:a100_3g.20gb:1", 1)).isEqualTo("gres:gpu:a100_3g.20gb:1");
        }
    }

    @Nested
    class AnOfferedJob {
        private static final String ROW = """
                {"job_id": 7, "job_state": "PENDING", "priority": 0, "comment": "spur%s", "tres_per_node": "gres:gpu:4",
                 "node_count": 2, "cpus_per_task": null, "tasks": 4, "cpus": 48, "memory_per_node": 65536, "deadline": 1801418400,
                 "dependency": "%s"}
                """;

        private static PlatformJob read(String words, String dependency) {
            return JobReader.read(JSON.readTree(ROW.formatted(words, dependency)), NOW);
        }

        @Test
        void hasTheDeadlineAndTheHostDemandOfSbatch() {
            PlatformJob job = read("", "");

            assertThat(job.annotation().value("deadline")).contains("2027-01-31T18:00:00Z");
            assertThat(job.annotation().number("cpus")).as("48 for 8 GPUs").isEqualTo(6);
            assertThat(job.annotation().number("memory"))
                    .as("128 GiB for 8 GPUs")
                    .isEqualTo(16);
            assertThat(job.isOffered()).isTrue();
        }

        @Test
        void prefersTheWordsOfItsComment() {
            assertThat(read(" cpus=2", "").annotation().number("cpus")).isEqualTo(2);
        }

        @Test
        void mayStateItsHostDemandByGpu() {
            PlatformJob job = JobReader.read(JSON.readTree("""
                    {"job_id": 7, "job_state": "PENDING", "comment": "spur", "tres_per_node": "gres:gpu:4", "cpus": 1,
                     "node_count": 1, "cpus_per_tres": "gres:gpu:3", "memory_per_tres": "gres:gpu:2048"}
                    """), NOW);

            assertThat(job.annotation().number("cpus")).isEqualTo(3);
            assertThat(job.annotation().number("memory")).isEqualTo(2);
        }

        @Test
        void statesHostLevelsThatSlurmGrants() {
            assertThat(read(" host-levels=6:16:1+3:16:0.8", "").isOffered()).isTrue();
            assertThat(read(" host-levels=6:16:1+2.5:16:0.8", "").unsupportedReason())
                    .contains("the CPUs of host-levels must be whole numbers, because Slurm allocates whole CPUs");
            assertThat(JobReader.read(JSON.readTree("""
                                    {"job_id": 7, "comment": "spur host-levels=6:16:1", "cpus_per_tres": "gres:gpu:3",
                                     "tres_per_node": "gres:gpu:4"}"""), NOW)
                            .unsupportedReason()
                            .orElseThrow())
                    .startsWith("the setting host-levels requires --cpus-per-task and --mem");
        }

        @Test
        void isImportedWhenItsDependenciesAreSatisfied() {
            assertThat(read("", "afterok:6(unfulfilled)").unsupportedReason())
                    .contains("it waits for its dependency afterok:6(unfulfilled)");
        }

        @Test
        void isImportedWhenItsBeginHasCome() {
            String row = ROW.formatted("", "").replace("\"tasks\"", "\"eligible_time\": 1801418400, \"tasks\"");
            Instant begin = Instant.parse("2027-01-31T18:00:00Z");

            assertThat(JobReader.read(JSON.readTree(row), begin.minusSeconds(1)).unsupportedReason())
                    .contains("it begins at 2027-01-31T18:00:00Z");
            assertThat(JobReader.read(JSON.readTree(row), begin).isOffered()).isTrue();
        }
    }

    @Nested
    class AFailedJob {
        @ParameterizedTest
        @CsvSource({
            "FAILED, NonZeroExitCode, 1792, 7, FAILED (NonZeroExitCode)",
            "OUT_OF_MEMORY, None, 9, 137, OUT_OF_MEMORY"
        })
        void statesItsExitCodeAndItsReason(String state, String reason, int status, int code, String message) {
            PlatformJob job = JobReader.read(JSON.readTree("""
                    {"job_id": 7, "job_state": "%s", "state_reason": "%s", "exit_code": %d}
                    """.formatted(state, reason, status)), NOW);

            assertThat(job.training().failure()).contains(new PlatformJob.Failure(Optional.of(code), message));
        }
    }

    @Nested
    class ANode {
        private Optional<PlatformNode> read(String state, String flags, String gres) {
            JsonNode row = JSON.readTree("""
                    {"name": "n1", "partitions": ["other", "b", "a"], "gres": "%s", "gres_used": "gpu:h200:3(IDX:0-2)",
                     "state": "%s", "state_flags": [%s], "cpus": 64, "real_memory": 524288}
                    """.formatted(gres, state, flags));
            return new SlurmNodeReader(List.of("a", "b")).read(row);
        }

        @Test
        void isInTheFirstOfThePartitionsThatArePlanned() {
            PlatformNode node = read("mixed", "", "gpu:h200:8").orElseThrow();

            assertThat(node.pool()).isEqualTo("a");
            assertThat(node.memoryGiB()).isEqualTo(512);
            assertThat(node.free()).isEqualTo(5);
            assertThat(new SlurmNodeReader(List.of("c")).read(JSON.readTree("{\"partitions\": [\"a\"]}")))
                    .isEmpty();
        }

        @Test
        void withGpusOfTwoTypesIsShownWithoutAndSaysWhy() {
            PlatformNode node = read("idle", "", "gpu:a100:4,gpu:v100:4").orElseThrow();

            assertThat(node.slots()).isZero();
            assertThat(node.notes()).singleElement().asString().contains("different types");
        }

        @ParameterizedTest
        @CsvSource({
            "idle,,OPEN",
            "allocated,COMPLETING,OPEN",
            "mixed,DRAIN,CLOSED",
            "idle,NOT_RESPONDING,CLOSED",
            "maint,,CLOSED",
            "down,,LOST",
            "unknown,,LOST"
        })
        void isOpenOnlyIfNothingIsSaidAgainstIt(String state, String flag, Condition condition) {
            String flags = flag == null ? "" : "\"" + flag + "\"";

            assertThat(read(state, flags, "gpu:h200:8").orElseThrow().condition())
                    .isEqualTo(condition);
        }
    }
}
