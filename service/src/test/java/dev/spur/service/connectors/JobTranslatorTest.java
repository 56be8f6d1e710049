package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.jobs.StatedDependency;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JobTranslatorTest {
    private static final List<PlatformNode> NODES = List.of(node("gpu1"), node("gpu2"), node("gpu3"));

    private final JobTranslator translation = new JobTranslator("slurm", "root", 3600, 65);

    private static PlatformNode node(String name) {
        return new PlatformNode(name, "gpu", "h200", 8, 0, 16, 64, PlatformNode.Condition.OPEN, List.of());
    }

    private static PlatformJob job(int slots, int unit, String words) {
        return job("mnist", "ann", slots, unit, words);
    }

    private static PlatformJob job(String name, String owner, int slots, int unit, String words) {
        return new PlatformJob(
                "17",
                name,
                owner,
                "gpu",
                State.HELD,
                new Size(slots, 1),
                unit,
                JobPlacement.NONE,
                JobPlacement.NONE,
                0,
                Instant.EPOCH,
                Optional.of(7200.0),
                JobAnnotation.read(
                        words, Set.of("pools", "gradients", "aggregation", "speeds", JobAnnotation.HOST_LEVELS)),
                Optional.empty(),
                Optional.empty());
    }

    private TrainingSubmission of(int slots, String words) throws Exception {
        return translation.of(job(slots, 1, words), NODES);
    }

    @Nested
    class AJobThatSaysNothing {
        @Test
        void hasANameAndAnOwnerWithoutInvisibleCharacters() throws Exception {
            TrainingSubmission submission = translation.of(job("m\u202Enist\n", "ann\u3164", 4, 1, "spur"), NODES);

            assertThat(submission.name()).isEqualTo("m\uFFFDnist");
            assertThat(submission.owner()).isEqualTo("ann\uFFFD");
        }

        @Test
        void wantsWhatItAsksForForItsTimeLimit() throws Exception {
            TrainingSubmission submission = of(4, "spur");
            JobSpec spec = submission.spec();

            assertThat(submission.externalId()).isEqualTo("slurm/17");
            assertThat(submission.owner()).isEqualTo("ann");
            assertThat(submission.tenant()).isEqualTo("root");
            assertThat(spec.elasticity().counts(100)).containsExactly(4);
            assertThat(spec.elasticity().pools()).containsExactly("gpu");
            assertThat(spec.profile().points()).singleElement().satisfies(point -> {
                assertThat(spec.totalSamples() / point.samplesPerSecond()).isEqualTo(7200);
                assertThat(point.acceleratorType()).isEqualTo("h200");
            });
            assertThat(spec.preemptible()).isTrue();
            assertThat(spec.timeLimit()).isEqualTo(TimeLimit.ofStart(7200));
        }

        @Test
        void ofASizeThatWouldBeUnevenIsLeftOut() {
            assertThatThrownBy(() -> of(12, "spur")).hasMessageContaining("fits one node of pool gpu or fills several");
        }

        @Test
        void inAPoolThatIsNotPlannedIsLeftOut() {
            assertThatThrownBy(() -> translation.of(job(4, 1, "spur"), List.of()))
                    .hasMessageContaining("pool gpu");
        }
    }

    @Nested
    class AJobOfAFamily {
        @Test
        void mayHaveAnyNumberOnANodeAndWholeNodesBeyond() throws Exception {
            JobSpec spec = of(
                            2,
                            "spur family=resnet gpus=6-20 batch=64-512 elastic-batch samples=1000 tenant=vision priority=-2 signal=USR1@30")
                    .spec();

            assertThat(spec.family()).isEqualTo("resnet");
            assertThat(spec.elasticity().counts(100)).containsExactly(6, 7, 8, 16);
            assertThat(spec.batch().min()).isEqualTo(64);
            assertThat(spec.batch().max()).isEqualTo(512);
            assertThat(spec.totalSamples()).isEqualTo(1000);
            assertThat(spec.priority()).isEqualTo(-2);
            assertThat(spec.restartPenaltySeconds()).isEqualTo(95);
        }

        @Test
        void whosePodsHaveSeveralGpusEachHasWholePodsOnEachNode() throws Exception {
            String words = "spur family=resnet gpus=1-16 batch=64-512 samples=1000";

            assertThat(translation
                            .of(job(4, 2, words), NODES)
                            .spec()
                            .elasticity()
                            .counts(100))
                    .containsExactly(2, 4, 6, 8, 16);
            assertThat(translation
                            .of(job(6, 3, words), NODES)
                            .spec()
                            .elasticity()
                            .counts(100))
                    .containsExactly(3, 6);
        }

        @Test
        void requiresOrPrefersARackOrABlock() throws Exception {
            assertThat(of(16, "spur within=rack").spec().elasticity().topology())
                    .isEqualTo(new TopologyRequest(TopologyLevel.RACK, TopologyRequest.Policy.REQUIRE, null));
            assertThat(of(16, "spur prefer-within=block").spec().elasticity().topology())
                    .isEqualTo(new TopologyRequest(TopologyLevel.BLOCK, TopologyRequest.Policy.PREFER, null));
            assertThat(of(16, "spur").spec().elasticity().topology()).isNull();
            assertThat(JobAnnotation.read("spur within=rack prefer-within=block")
                            .errors())
                    .containsExactly("within and prefer-within are both set");
            assertThat(JobAnnotation.read("spur within=row").errors())
                    .containsExactly("invalid value of within: \"row\"");
        }

        @Test
        void carriesWhatItsOwnerStates() throws Exception {
            TrainingSubmission submission = of(
                    2,
                    "spur family=resnet gpus=1-8 batch=64 device-batch=96 elastic-batch samples=1000 noise=2500 group=sweep"
                            + " deadline=2027-01-31T18:00:00Z cpus=6 memory=32.5 after=data-1+data-2");
            JobSpec spec = submission.spec();

            assertThat(submission.deadline()).isEqualTo("2027-01-31T18:00:00Z");
            assertThat(submission.dependsOn()).extracting(StatedDependency::job).containsExactly("data-1", "data-2");
            assertThat(spec.batch()).isEqualTo(new BatchLimits(64, 64, 8 * 96, 96, Map.of(), true));
            assertThat(spec.efficiency()).isEqualTo(StatisticalEfficiency.ofNoiseScale(2500));
            assertThat(spec.group()).isEqualTo("sweep");
            assertThat(spec.host()).isEqualTo(new HostDemand(6, 32.5));
        }

        @Test
        void mayStateATableOfItsEfficiency() throws Exception {
            JobSpec spec = of(2, "spur family=resnet batch=64-256 elastic-batch samples=1000 efficiency=64:1+256:0.8")
                    .spec();

            assertThat(spec.efficiency().at(256, 64)).isEqualTo(0.8);
            assertThat(spec.batch().max()).isEqualTo(256);
        }

        @Test
        void isPlannedWithItsFirstBatchUnlessItStartsWithThePlannedOne() throws Exception {
            BatchLimits rigid = of(2, "spur family=resnet gpus=1-8 batch=64-256 device-batch=96 samples=1000 noise=9")
                    .spec()
                    .batch();

            assertThat(rigid).isEqualTo(new BatchLimits(64, 64, 64, 96, Map.of(), true));
        }

        @Test
        void saysHowMuchThereIsToDo() {
            assertThatThrownBy(() -> of(2, "spur family=resnet batch=64")).hasMessage("family needs samples");
            assertThatThrownBy(() -> of(2, "spur family=resnet samples=64")).hasMessage("family needs batch");
            assertThatThrownBy(() -> of(2, "spur gpus=1-4")).hasMessage("gpus, batch and samples need family");
            assertThatThrownBy(() -> of(2, "spur noise=1"))
                    .hasMessage("device-batch, noise and efficiency need family");
            assertThatThrownBy(() -> of(2, "spur elastic-batch")).hasMessage("elastic-batch needs family");
        }
    }

    @Nested
    class AJobThatSaysWhatItsGradientsWeigh {
        private static final String SPEEDS =
                "spur gpus=4-16 batch=64-512 samples=1000 speeds=4:256:0:900+16:256:2:1500";

        private JobSpec with(String words) throws Exception {
            return new JobTranslator("determined", "root", 3600, 65, true)
                    .of(job(4, 1, SPEEDS + " " + words), NODES)
                    .spec();
        }

        @Test
        void mayUseParameterServersWithTheSpeedsThatItStates() throws Exception {
            JobSpec spec = with("gradients=1000000 aggregation=1-4");

            assertThat(spec.synchronization()).isEqualTo(new Synchronization(true, true, 1, 4, 1e6));
            assertThat(spec.family()).isNull();
            assertThat(spec.profile().points())
                    .containsExactly(
                            ProfilePoint.allReduce("h200", 4, 1, 256, 900),
                            new ProfilePoint("h200", 16, 2, 256, SyncStrategy.PARAMETER_SERVER, 2, 1500));
        }

        @Test
        void isRejectedWithoutAggregators() {
            assertThatThrownBy(() -> of(4, SPEEDS + " gradients=1000000"))
                    .hasMessage("connector slurm runs no aggregators");
            assertThatThrownBy(() -> with(""))
                    .hasMessage("speeds with aggregation slots need gradients or aggregation");
            assertThatThrownBy(() -> of(4, "spur gradients=7"))
                    .hasMessage("gradients and aggregation need family or speeds");
        }
    }

    @Nested
    class AJobWithHostLevels {
        private static final String WORDS = "spur family=resnet batch=64 samples=1000 cpus=9 host-levels=";

        @Test
        void isGrantedOneOfThemAtEachStart() throws Exception {
            JobSpec spec = of(2, WORDS + "3:16:0.8+6:32:1").spec();

            assertThat(spec.host()).isEqualTo(new HostDemand(6, 32));
            assertThat(spec.hostSensitivity())
                    .isEqualTo(
                            new HostSensitivity(List.of(new HostLevel(3, 16, 0.8), new HostLevel(6, 32, 1))).atStart());
        }

        @Test
        void statesOneOfSpeed1() {
            assertThatThrownBy(() -> of(2, WORDS + "3:16:0.8")).hasMessage("host-levels need a level of speed 1");
        }

        @Test
        void statesNoneThatIsSlowerWithMore() {
            assertThatThrownBy(() -> of(2, WORDS + "6:32:1+8:32:0.9")).hasMessageContaining("host-levels: level");
        }

        @Test
        void needsAFamily() {
            assertThatThrownBy(() -> of(2, "spur host-levels=6:32:1")).hasMessage("host-levels need family");
        }
    }

    @Nested
    class AJobThatNamesPools {
        private PlatformNode spot(int slots) {
            return new PlatformNode("s", "spot", "h200", slots, 0, 0, 0, PlatformNode.Condition.OPEN, List.of());
        }

        @Test
        void mayRunInEachOfThem() throws Exception {
            TrainingSubmission submission =
                    translation.of(job(8, 1, "spur pools=gpu+spot"), List.of(node("gpu1"), node("gpu2"), spot(8)));

            assertThat(submission.spec().elasticity().pools()).containsExactly("gpu", "spot");
        }

        @Test
        void whoseNodesAreOfSeveralSizesIsLeftOut() {
            assertThatThrownBy(() -> translation.of(job(8, 1, "spur pools=gpu+spot"), List.of(node("gpu1"), spot(4))))
                    .hasMessageContaining("not all of one size");
        }
    }

    @Nested
    class AFixedLoad {
        @Test
        void takesDevicesThatThePlanDoesNotUseFirst() {
            assertThat(NodeImport.devices(4, 0, List.of())).containsExactly("0", "1", "2", "3");
            assertThat(NodeImport.devices(4, 2, List.of("2", "3"))).containsExactly("2", "3");
            assertThat(NodeImport.devices(4, 3, List.of("2", "3"))).containsExactly("2");
            assertThat(NodeImport.devices(4, 4, List.of("2", "3"))).isEmpty();
        }
    }
}
