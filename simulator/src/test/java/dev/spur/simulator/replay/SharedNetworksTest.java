package dev.spur.simulator.replay;

import static dev.spur.model.JobFixture.configuration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Simulated jobs on several nodes slow down by other such jobs on their nodes. */
class SharedNetworksTest {
    private static TraceJob job(String id, double samples) {
        JobSpec spec =
                JobFixture.job(id).slots(4).speed("A100", 4, 2, 1).work(samples).spec();
        return new TraceJob(
                id, 0, "root", null, 4, samples, new SpecGroundTruth(spec, 0, 0), PolicyViewModel.complete(spec));
    }

    /** Both jobs run on two devices of each of two nodes with four. */
    private static Policy spread() {
        return new Policy() {
            @Override
            public String name() {
                return "spread";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                Map<String, Allocation> allocations = new HashMap<>();
                problem.jobs()
                        .forEach(job -> allocations.put(
                                job.id(), given(problem, job.id().equals("a") ? 0 : 2)));
                return Decision.of(problem, allocations, RoundMemory.EMPTY);
            }
        };
    }

    private static Allocation given(RoundProblem problem, int first) {
        List<NodeShare> shares = problem.nodes().stream()
                .map(node -> new NodeShare(node.id(), devices(node, first)))
                .toList();
        return new Allocation(configuration(List.of(2, 2)), shares, List.of(), 0);
    }

    private static List<String> devices(Node node, int first) {
        return node.devices().subList(first, first + 2);
    }

    private static Map<String, Double> ends(@Nullable Double contention) {
        ClusterFile cluster = new ClusterFile(
                List.of(new NodeKind("A100", 2, 4, null, null, null, null, null, null, contention, null)));
        Map<String, Double> ends = new HashMap<>();
        Replayer.replay(
                        Traces.trace(job("a", 1000), job("b", 500)),
                        cluster,
                        spread(),
                        ReplaySettings.DEFAULT.withRounds(100, null),
                        ProgressListener.NONE)
                .jobs()
                .forEach(job -> ends.put(job.id(), job.end()));
        return ends;
    }

    @Test
    void aNeighborSlowsAJobDownUntilItEnds() {
        Map<String, Double> ends = ends(0.5);

        assertThat(ends.get("b")).isCloseTo(500 * 1.5, within(1e-6));
        assertThat(ends.get("a")).isCloseTo(750 + (1000 - 500), within(1e-6));
    }

    @Test
    void withoutContentionJobsRunAsIfAlone() {
        assertThat(ends(null)).containsEntry("a", 1000.0).containsEntry("b", 500.0);
    }

    @Test
    void onlyJobsOnSeveralNodesSlowEachOtherDown() {
        Map<String, List<Integer>> nodes = Map.of("a", List.of(0, 1), "b", List.of(1, 2), "c", List.of(1));
        List<TraceJob> jobs = nodes.entrySet().stream()
                .map(entry -> onePerNode(entry.getKey(), entry.getValue().size()))
                .sorted(Comparator.comparing(TraceJob::id))
                .toList();
        Map<String, Double> ends = new HashMap<>();

        Replayer.replay(
                        Traces.trace(jobs.toArray(TraceJob[]::new)),
                        new ClusterFile(
                                List.of(new NodeKind("A100", 3, 4, null, null, null, null, null, null, 0.5, null))),
                        on(nodes),
                        ReplaySettings.DEFAULT.withRounds(100, null),
                        ProgressListener.NONE)
                .jobs()
                .forEach(job -> ends.put(job.id(), job.end()));

        assertThat(ends.get("a")).as("a shares one node").isCloseTo(1500, within(1e-6));
        assertThat(ends.get("b")).isCloseTo(1500, within(1e-6));
        assertThat(ends.get("c")).as("c is on one node").isCloseTo(1000, within(1e-6));
    }

    private static TraceJob onePerNode(String id, int nodes) {
        JobSpec spec = JobFixture.job(id)
                .slots(nodes)
                .speed("A100", nodes, nodes, 1)
                .work(1000)
                .spec();
        return new TraceJob(
                id, 0, "root", null, nodes, 1000, new SpecGroundTruth(spec, 0, 0), PolicyViewModel.complete(spec));
    }

    /** Each job runs on one device of each of its nodes. */
    private static Policy on(Map<String, List<Integer>> nodes) {
        return new Policy() {
            @Override
            public String name() {
                return "fixed";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                Map<String, Allocation> allocations = new HashMap<>();
                for (Job job : problem.jobs()) {
                    int device = job.id().charAt(0) - 'a';
                    List<NodeShare> shares = nodes.get(job.id()).stream()
                            .map(v -> problem.nodes().get(v))
                            .map(node -> new NodeShare(
                                    node.id(), List.of(node.devices().get(device))))
                            .toList();
                    List<Integer> shape = Collections.nCopies(shares.size(), 1);
                    allocations.put(job.id(), new Allocation(configuration(shape), shares, List.of(), 0));
                }
                return Decision.of(problem, allocations, RoundMemory.EMPTY);
            }
        };
    }
}
