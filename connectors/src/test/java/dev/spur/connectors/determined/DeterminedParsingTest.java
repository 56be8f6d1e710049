package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Texts as a master of Determined writes them. */
class DeterminedParsingTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00Z");
    private static final LastAppliedState MARK = new LastAppliedState(17, JobPlacement.of(Map.of("gpu", 8)), SINCE);

    @Nested
    class AnAgent {
        private static final String CUDA = """
                {"enabled": true, "draining": false, "device": {"brand": "NVIDIA H100 80GB HBM3", "type": "TYPE_CUDA"}}""";
        private static final String TAKEN = """
                {"enabled": true, "draining": false, "device": {"brand": "NVIDIA H100 80GB HBM3", "type": "TYPE_CUDA"},
                 "container": {"id": "c"}}""";
        private static final String DRAINING = """
                {"enabled": true, "draining": true, "device": {"brand": "NVIDIA H100 80GB HBM3", "type": "TYPE_CUDA"},
                 "container": {"id": "d"}}""";
        private static final String OTHER = """
                {"enabled": true, "draining": false, "device": {"brand": "Tesla V100", "type": "TYPE_CUDA"}}""";
        private static final String CPU = """
                {"enabled": true, "draining": false, "device": {"brand": "Xeon", "type": "TYPE_CPU"}}""";

        private PlatformNode read(String first, String second) {
            JsonNode row = JSON.readTree("""
                    {"id": "a1", "enabled": true, "draining": false, "resourcePools": ["other", "gpu"],
                     "slots": {"000": %s, "a1/slots/1": %s}}""".formatted(first, second));
            return new AgentReader(List.of("gpu")).read(row).orElseThrow();
        }

        @Test
        void hasTheSlotsThatTakeWork() {
            PlatformNode node = read(CUDA, TAKEN);

            assertThat(node.acceleratorType()).isEqualTo("nvidia-h100-80gb-hbm3");
            assertThat(node.slots()).isEqualTo(2);
            assertThat(node.used()).isEqualTo(1);
            assertThat(read(CUDA, DRAINING).slots()).isEqualTo(1);
        }

        @Test
        void withoutAcceleratorsOrWithSeveralTypesHasNone() {
            assertThat(read(CPU, CPU).slots()).isZero();
            assertThat(read(CUDA, OTHER).slots()).isZero();
            assertThat(read(CUDA, OTHER).notes()).singleElement().asString().contains("different types");
        }

        @ParameterizedTest
        @CsvSource({"true,false,OPEN", "true,true,CLOSED", "false,false,CLOSED"})
        void isOpenUnlessItIsDisabledOrDrains(boolean enabled, boolean draining, Condition condition) {
            JsonNode row = JSON.readTree("""
                    {"id": "a1", "enabled": %s, "draining": %s, "resourcePools": ["gpu"], "slots": {}}""".formatted(enabled, draining));

            assertThat(new AgentReader(List.of("gpu")).read(row).orElseThrow().condition())
                    .isEqualTo(condition);
            assertThat(new AgentReader(List.of("cpu")).read(row)).isEmpty();
        }
    }

    @Nested
    class TheNotes {
        @Test
        void areReadAsTheyWereWritten() {
            Notes marked = Notes.NONE.withLastApplied(MARK, OptionalInt.of(3));

            assertThat(Notes.read(marked.text())).isEqualTo(marked);
            assertThat(marked.text()).isEqualTo("spur rev=17 since=1795341600 run=gpu:8 continue=3");
        }

        @Test
        void keepWhatTheOwnerWrote() {
            Notes before = Notes.read("first\n\n- second");
            Notes marked = before.withLastApplied(MARK, OptionalInt.empty());
            Notes again = Notes.read(marked.text() + "\nthird");

            assertThat(again.mark()).contains(MARK);
            assertThat(again.withLastApplied(MARK, OptionalInt.of(1)).text())
                    .isEqualTo("first\n\n- second\n\nthird\n\nspur rev=17 since=1795341600 run=gpu:8 continue=1");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "spur", "spur rev=1 since=1 hold continue=x", "my spur rev=1 since=1 hold"})
        void ofOthersAreNoMark(String text) {
            assertThat(Notes.read(text)).isEqualTo(new Notes(text, Notes.NONE.mark(), OptionalInt.empty()));
        }
    }

    @Nested
    class AnExperiment {
        private PlatformJob read(String state, String notes, int continued, String held) {
            JsonNode row = JSON.readTree("""
                    {"id": 12, "name": "resnet", "username": "ann", "labels": ["spur", "spur/gpus=1-4", "other"],
                     "state": "%s", "notes": "%s", "startTime": "2026-11-22T10:00:00Z"}""".formatted(state, notes));
            JsonNode config = JSON.readTree("""
                    {"resources": {"slots_per_trial": 2, "resource_pool": "gpu", "priority": 10},
                     "searcher": {"name": "single"}, "data": {"spur_continued": %d}}""".formatted(continued));
            JsonNode tasks = JSON.readTree("""
                    {"allocationIdToSummary": {
                      "12.x.1": {"taskId": "12.x", "slotsNeeded": 2, "priority": 10, "resources": [%s]},
                      "120.x.1": {"taskId": "120.x", "slotsNeeded": 4, "resources": [
                        {"agentDevices": {"a9": {"devices": [{}, {}, {}, {}]}}}]},
                      "ab.1": {"taskId": "ab-cd", "name": "JupyterLab", "slotsNeeded": 1, "resourcePool": "gpu",
                        "resources": [{"agentDevices": {"a2": {"devices": [{}]}}}]}}}""".formatted(held));
            assertThat(new Tasks(tasks).others()).extracting(PlatformJob::id).containsExactly("task/ab-cd");
            return ExperimentReader.read(row, config, new Tasks(tasks));
        }

        private static final String HELD = "{\"agentDevices\": {\"a1\": {\"devices\": [{}, {}]}}}";

        @Test
        void ofAFamilyHasTheBatchOfItsHyperparameters() {
            String row = "{\"id\": 12, \"labels\": [\"spur\", %s\"spur/noise=2500\"]}";
            JsonNode config =
                    JSON.readTree("{\"hyperparameters\": {\"global_batch_size\": {\"type\": \"const\", \"val\": 64}}}");
            JsonNode family = JSON.readTree(row.formatted("\"spur/family=resnet\", "));
            JsonNode fixed = JSON.readTree(row.formatted(""));

            assertThat(ExperimentReader.read(family, config, new Tasks(family))
                            .annotation()
                            .value("batch"))
                    .contains("64");
            assertThat(ExperimentReader.read(fixed, config, new Tasks(fixed))
                            .annotation()
                            .has("batch"))
                    .isFalse();
        }

        @ParameterizedTest
        @CsvSource({"0.31,0.31", "1.7,1"})
        void saysHowFarItIs(double told, double share) {
            JsonNode row = JSON.readTree("{\"id\": 12, \"progress\": %s}".formatted(told));

            assertThat(ExperimentReader.read(row, row.path("config"), new Tasks(row))
                            .progress())
                    .contains(share);
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"id\": 12}", "{\"id\": 12, \"progress\": null}", "{\"id\": 12, \"progress\": 0}"})
        void saysNothingOfItAtFirstAndAfterItWasContinued(String experiment) {
            JsonNode row = JSON.readTree(experiment);

            assertThat(ExperimentReader.read(row, row.path("config"), new Tasks(row))
                            .progress())
                    .isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[\"A=b\", \"SPUR_JOB_KEY=5B1F6F0E-8c1e-4c55-9a5b-0e6f3a1d7c42\"]",
                    "{\"cpu\": [], \"cuda\": [\"SPUR_JOB_KEY=5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42\"]}"
                })
        void hasTheKeyOfItsOwnerAndTheRunIdOfItsProcesses(String variables) {
            PlatformJob job = aggregated(variables);

            assertThat(job.unsupportedReason()).isEmpty();
            assertThat(job.training().key()).contains("5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42");
            assertThat(job.training().run()).contains("12.x.3");
        }

        @ParameterizedTest
        @ValueSource(strings = {"[]", "[\"SPUR_JOB_KEY=secret\"]", "null"})
        void isLeftOutWithGradientsAndWithoutAKey(String variables) {
            assertThat(aggregated(variables).unsupportedReason().orElseThrow()).contains("SPUR_JOB_KEY");
        }

        private PlatformJob aggregated(String variables) {
            JsonNode row = JSON.readTree("""
                    {"id": 12, "state": "STATE_RUNNING", "labels": ["spur", "spur/gradients=8"]}""");
            JsonNode config = JSON.readTree("""
                    {"resources": {"slots_per_trial": 2}, "searcher": {"name": "single"},
                     "environment": {"environment_variables": %s}}""".formatted(variables));
            JsonNode tasks = JSON.readTree("""
                    {"allocationIdToSummary": {"12.x.3": {"taskId": "12.x", "allocationId": "12.x.3", "slotsNeeded": 2, "resources": [%s]}}}""".formatted(HELD));
            return ExperimentReader.read(row, config, new Tasks(tasks));
        }

        @Test
        void saysWhatItWants() {
            PlatformJob job = read("STATE_QUEUED", "", 0, "");

            assertThat(job.annotation().range("gpus").orElseThrow().max()).isEqualTo(4);
            assertThat(job.requested().slots()).isEqualTo(2);
            assertThat(job.priority()).isEqualTo(90);
            assertThat(ExperimentReader.toDeterminedPriority(job.priority())).isEqualTo(10);
            assertThat(job.isOffered()).isTrue();
        }

        @ParameterizedTest
        @CsvSource({
            "unmanaged, true, single, 2, it runs outside Determined",
            "archived, true, single, 2, it is archived",
            "labels, '[\"spur\", \"spur/signal=USR1@9\"]', single, 2, 'the setting signal is not supported: Determined requests checkpoints itself'",
            "name, '\"x\"', grid, 2, experiments with more than one trial are not supported",
            "name, '\"x\"', single, 0, it requests no slots"
        })
        void isLeftAloneIfItCannotBeSpurs(String member, String value, String searcher, int slots, String why) {
            JsonNode row = JSON.readTree("""
                    {"id": 12, "state": "STATE_PAUSED", "%s": %s}""".formatted(member, value));
            JsonNode config = JSON.readTree("""
                    {"resources": {"slots_per_trial": %d}, "searcher": {"name": "%s"}}""".formatted(slots, searcher));

            assertThat(ExperimentReader.read(row, config, new Tasks(JSON.readTree("{}")))
                            .unsupportedReason())
                    .contains(why);
        }

        @Test
        void isWhereItsStateAndItsSlotsSay() {
            assertThat(read("STATE_QUEUED", "", 0, "").state()).isEqualTo(State.WAITING);
            assertThat(read("STATE_STARTING", "", 0, HELD).state()).isEqualTo(State.RUNNING);
            assertThat(read("STATE_RUNNING", "", 0, HELD).held()).isEqualTo(JobPlacement.of(Map.of("a1", 2)));
            assertThat(read("STATE_PAUSED", "", 0, HELD).state()).isEqualTo(State.STOPPING);
            assertThat(read("STATE_PAUSED", "", 0, "").state()).isEqualTo(State.HELD);
            assertThat(read("STATE_COMPLETED", "", 0, "").state()).isEqualTo(State.DONE);
            assertThat(read("STATE_ERROR", "", 0, "").state()).isEqualTo(State.FAILED);
        }

        @Test
        void thatSpurCancelledIsHeldUntilItWasContinued() {
            String notes = MARK.text() + " continue=2";

            assertThat(read("STATE_CANCELED", notes, 1, "").state()).isEqualTo(State.HELD);
            assertThat(read("STATE_CANCELED", notes, 2, "").state()).isEqualTo(State.CANCELLED);
            assertThat(read("STATE_CANCELED", MARK.text(), 1, "").state()).isEqualTo(State.CANCELLED);
            assertThat(read("STATE_ERROR", notes, 1, "").state()).isEqualTo(State.FAILED);
        }
    }
}
