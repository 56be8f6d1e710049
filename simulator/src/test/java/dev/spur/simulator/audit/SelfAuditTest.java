package dev.spur.simulator.audit;

import static dev.spur.simulator.testing.Traces.cluster;
import static dev.spur.simulator.testing.Traces.job;
import static dev.spur.simulator.testing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.job.JobSpec;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.testing.TestGroundTruth;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each cause is taken away once, and what that changes is its regret. */
class SelfAuditTest {
    private static final ReplaySettings SETTINGS = ReplaySettings.DEFAULT;

    private static Set<String> ids(Trace trace) {
        return trace.jobs().stream().map(TraceJob::id).collect(Collectors.toSet());
    }

    private static ClusterConfig slots(int count, Trace trace) {
        return ClusterConfig.of(cluster(1, count), trace);
    }

    private static AuditResult audit(Trace trace, Trace oracleTrace, ClusterConfig cluster) {
        return SelfAudit.run(new AuditInput(trace, oracleTrace, ids(trace), cluster, SETTINGS), ProgressListener.NONE);
    }

    private static double seconds(AuditResult result, RegretCause cause) {
        return result.regret().stream()
                .filter(regret -> regret.cause() == cause)
                .findFirst()
                .orElseThrow()
                .seconds();
    }

    /** A job of 3,600 samples on 1 to 4 slots, with so many samples per second on one and on four. */
    private static JobSpec elastic(double onOne, double onFour) {
        return JobFixture.job("a")
                .slots(1, 4)
                .work(3600)
                .speed("A100", 1, 1, onOne)
                .speed("A100", 4, 1, onFour)
                .spec();
    }

    private static TraceJob elastic(String id, JobSpec trueSpec, JobSpec belief) {
        return new TraceJob(
                id, 0, "root", null, 1, 3600, new SpecGroundTruth(trueSpec, 0, 30), PolicyViewModel.complete(belief));
    }

    @Nested
    class Causes {
        @Test
        void addUpToTheDifferenceBetweenTheFirstAndTheLastReplay() {
            Trace trace = Traces.random(30, 3000, 7);

            AuditResult result = audit(trace, trace, slots(8, trace));

            List<AuditResult.Regret> regret = result.regret();
            assertThat(regret).extracting(AuditResult.Regret::cause).containsExactly(RegretCause.values());
            AuditReplay last = regret.get(regret.size() - 1).without();
            assertThat(result.totalSeconds())
                    .isCloseTo(result.baseline().meanJctSeconds() - last.meanJctSeconds(), within(1e-9));
            assertThat(result.totalFraction())
                    .isCloseTo(result.totalSeconds() / result.baseline().meanJctSeconds(), within(1e-12));
            assertThat(result.jobs()).isEqualTo(30);
            assertThat(result.excluded()).isZero();
            assertThat(result.references()).extracting(AuditReplay::policy).containsExactly("fifo", "fifo-backfill");
            assertThat(seconds(result, RegretCause.OBJECTIVE)).isNotNegative();
            assertThat(seconds(result, RegretCause.PREDICTIONS)).isZero();
        }

        @Test
        void ofPredictionsAreWhatTheTrueSpeedsGain() {
            JobSpec trueSpec = elastic(1, 4);
            Trace trace = trace(elastic("a", trueSpec, elastic(1, 0.5)));
            Trace oracleTrace = trace(elastic("a", trueSpec, trueSpec));

            AuditResult result = audit(trace, oracleTrace, slots(4, trace));

            assertThat(result.baseline().meanJctSeconds()).isEqualTo(3600);
            assertThat(seconds(result, RegretCause.PREDICTIONS)).isEqualTo(2700);
            assertThat(result.totalSeconds()).isEqualTo(2700);
            assertThat(result.totalFraction()).isEqualTo(0.75);
        }

        @Test
        void ofQuotasAreWhatTheirRemovalGains() {
            TraceJob job = job("a", 0, 2, 1200, TestGroundTruth.of(1200));
            TraceJob other = job("b", 0, 2, 1200, TestGroundTruth.of(1200));
            Trace trace = trace(job, other);
            ClusterConfig open = slots(4, trace);
            ClusterConfig limited = new ClusterConfig(
                    open.types(),
                    open.pools(),
                    open.nodes(),
                    List.of(),
                    List.of(),
                    List.of(new Tenant("root", null, 1, Map.of("A100", new Quota(2, 0, null)))),
                    List.of(),
                    List.of());

            AuditResult result = audit(trace, trace, limited);

            assertThat(result.baseline().meanJctSeconds()).isEqualTo(900);
            assertThat(seconds(result, RegretCause.QUOTAS)).isEqualTo(300);
            assertThat(result.totalSeconds()).isEqualTo(300);
        }

        @Test
        void ofTheObjectiveAreThoseOfTheBetterOne() {
            // least attained service shares the slot in turns, the shorter first completes sooner
            Trace trace = trace(job("a", 0, 40_000), job("b", 0, 30_000));
            ReplaySettings settings = SETTINGS.withPlanning(
                    SETTINGS.settings().withObjective(Objective.of(ObjectiveKind.LEAST_ATTAINED_SERVICE)));

            AuditResult result = SelfAudit.run(
                    new AuditInput(trace, trace, ids(trace), slots(1, trace), settings), ProgressListener.NONE);

            assertThat(result.bestObjective()).isNotEqualTo(ObjectiveKind.LEAST_ATTAINED_SERVICE);
            assertThat(seconds(result, RegretCause.OBJECTIVE)).isPositive();
        }

        @Test
        void ofTheGapEndWithMoreWorkAndTargetZero() {
            assertThat(SelfAudit.exact(SETTINGS.settings()).gapTarget()).isZero();
            assertThat(SelfAudit.exact(SETTINGS.settings()).budget().work())
                    .isEqualTo(4 * SETTINGS.settings().budget().work());
        }
    }

    @Nested
    class Figures {
        @Test
        void areThoseOfTheCountedJobs() {
            Trace trace = trace(job("a", 0, 1000), job("b", 0, 3000));

            AuditResult result = SelfAudit.run(
                    new AuditInput(trace, trace, Set.of("b"), slots(2, trace), SETTINGS), ProgressListener.NONE);

            assertThat(result.jobs()).isOne();
            assertThat(result.baseline().meanJctSeconds()).isEqualTo(3000);
        }

        @Test
        void countWeightsInTheWeightedMean() {
            TraceJob light = job("a", 0, 1000);
            JobSpec heavy =
                    Traces.request("b", 1, 3000).spec().edit().importance(3, 1).build();
            TraceJob other = new TraceJob(
                    "b", 0, "root", null, 1, 3000, TestGroundTruth.of(3000), PolicyViewModel.complete(heavy));
            Trace trace = trace(light, other);

            AuditReplay baselineReplay = audit(trace, trace, slots(2, trace)).baseline();

            assertThat(baselineReplay.meanJctSeconds()).isEqualTo(2000);
            assertThat(baselineReplay.weightedMeanJctSeconds()).isEqualTo((1000 + 3 * 3000) / 4.0);
        }

        @Test
        void areStatedInOneSentence() {
            AuditReplay own = new AuditReplay("spur", 66, 66, 66, 0, 0);
            AuditReplay fifo = new AuditReplay("fifo", 100, 100, 100, 0, 0);
            AuditResult result = new AuditResult(
                    3,
                    0,
                    own,
                    Map.of(),
                    List.of(
                            new AuditResult.Regret(RegretCause.RESTARTS, own, 3.96, 3.96, 0.06),
                            new AuditResult.Regret(RegretCause.OPTIMALITY_GAP, own, 0.066, 0.066, 0.001)),
                    ObjectiveKind.COMPLETION_TIME,
                    List.of(fifo));

            assertThat(result.summary())
                    .isEqualTo("Mean JCT 34.0 % below fifo; lost: 6.0 % to restarts, 0.1 % to the optimality gap.");
        }

        @Test
        void areEmptyWithoutJobs() {
            Trace none = trace();

            AuditResult result = audit(none, none, slots(2, none));

            assertThat(result.jobs()).isZero();
            assertThat(result.totalSeconds()).isZero();
            assertThat(result.summary()).isEqualTo("No job of the range ended in every replay.");
        }

        @Test
        void comeWithRisingProgress() {
            Trace trace = trace(job("a", 0, 1000), job("b", 0, 3000));
            List<Double> shares = new ArrayList<>();

            SelfAudit.run(
                    new AuditInput(trace, trace, ids(trace), slots(2, trace), SETTINGS),
                    (time, ended, all) -> shares.add((double) ended / all));

            assertThat(shares)
                    .isSorted()
                    .allMatch(share -> share >= 0 && share <= 1)
                    .last()
                    .isEqualTo(1.0);
        }

        @Test
        void needTheSameJobsTwice() {
            Trace trace = trace(job("a", 0, 1000));

            assertThatThrownBy(() -> new AuditInput(trace, trace(), Set.of(), slots(1, trace), SETTINGS))
                    .hasMessageContaining("differ");
        }
    }
}
