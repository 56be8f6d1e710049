package dev.spur.simulator.replay;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Policies that learn the stalls of restarts in a replay, and plans with learned stalls. */
class SimulatedStallsTest {
    private static final double STATED = 300;
    private static final double TRUE = 20;

    /** View model of a family whose jobs learn their stalls. */
    private record Learning(JobSpec spec, boolean learnsStalls) implements PolicyViewModel {
        @Override
        public PolicyView after(RunHistory history) {
            return new PolicyView(spec, Math.max(1, spec.totalSamples() - history.doneSamples()));
        }

        @Override
        public String family() {
            return "net";
        }
    }

    /** Moves each job to the other node in each round, and records the stall of a restart in each problem. */
    private static final class Moving implements Policy {
        private final List<Double> restarts = new ArrayList<>();

        @Override
        public String name() {
            return "moving";
        }

        @Override
        public Decision decide(RoundProblem problem) {
            if (problem.jobs().isEmpty()) {
                return Decision.of(problem, Map.of(), RoundMemory.EMPTY);
            }
            Job moved = problem.jobs().get(problem.jobs().size() - 1);
            restarts.add(moved.spec().restartPenaltySeconds());
            Node node = problem.nodes().get((int) (problem.now() / 1000) % 2);
            Allocation allocation = new Allocation(
                    configuration(List.of(1)),
                    List.of(new NodeShare(node.id(), node.devices().subList(0, 1))),
                    List.of(),
                    problem.now());
            return Decision.of(problem, Map.of(moved.id(), allocation), RoundMemory.EMPTY);
        }
    }

    private static TraceJob traced(String id, double arrival, boolean learns) {
        JobSpec spec = Traces.request(id, 1, 7000).restartPenalty(STATED).spec();
        return new TraceJob(
                id, arrival, "root", null, 1, 1000, new SpecGroundTruth(spec, TRUE, TRUE), new Learning(spec, learns));
    }

    private static List<Double> restarts(TraceJob... jobs) {
        Moving policy = new Moving();
        Replayer.replay(
                Traces.trace(jobs),
                Traces.cluster(2, 1),
                policy,
                ReplaySettings.DEFAULT.withRounds(1000, null),
                ProgressListener.NONE);
        return policy.restarts;
    }

    private static double estimate(int restarts) {
        return Math.exp((Math.log(STATED) / 9 + restarts * Math.log(TRUE)) / (restarts + 1 / 9.0));
    }

    @Test
    void aPolicyLearnsTheSimulatedStallsOfRestarts() {
        List<Double> restarts = restarts(traced("a", 0, true));

        assertThat(restarts.subList(0, 2)).containsExactly(STATED, STATED);
        double afterOne = Math.exp(
                (Math.log(estimate(1)) + Math.log(TRUE)) / 2); // the family has the same restart, with weight 1
        assertThat(restarts.get(2)).isCloseTo(afterOne, within(1e-9));
        assertThat(restarts.get(restarts.size() - 1)).isCloseTo(TRUE, within(1.0));
    }

    @Test
    void aPolicyThatKnowsTheStallsLearnsNothing() {
        assertThat(restarts(traced("a", 0, false))).containsOnly(STATED);
    }

    @Test
    void aJobWithACostlyMeasuredRestartKeepsItsAllocationWhereAnotherGrows() {
        assertThat(change(20)).isEqualTo(ChangeKind.GROW);
        assertThat(change(5000)).isEqualTo(ChangeKind.KEEP);
    }

    /** The change of a job that runs on one of two slots, after three restarts with the same stall. */
    private static ChangeKind change(double stall) {
        LearnedStalls learned = LearnedStalls.NOTHING;
        for (int restart = 0; restart < 3; restart++) {
            learned = learned.and(ChangeMechanism.RESTART, stall);
        }
        JobFixture running = job("a").arrival(0)
                .work(1e6)
                .restartPenalty(STATED)
                .slots(1, 2)
                .speeds(100, 190)
                .on("n1", 1);
        RoundProblem problem = problem().node("n1", 2).now(10_000).job(running).build();
        Job heldJob = problem.jobs().get(0);
        RoundProblem planned =
                problem.withJobs(List.of(heldJob.withSpec(learned.effective(heldJob.spec(), LearnedStalls.NOTHING))));
        return Policies.spur().plan(planned).running().get(0).change();
    }
}
