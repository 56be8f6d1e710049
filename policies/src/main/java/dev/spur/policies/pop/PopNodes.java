package dev.spur.policies.pop;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.NodeClassName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Random round-robin assignment of nodes to parts. Nodes joined by a running job stay together if the job is protected,
 * or while they are few; under a restart limit always, so that the assignment forces no restart.
 */
final class PopNodes {
    /** Maximum fraction of a part's slots up to which joined nodes stay together. */
    private static final double LARGEST_SHARE = 0.25;

    private final RoundProblem problem;
    private final int count;
    private final Map<String, String> leaders = new HashMap<>();
    private final Map<String, Integer> slots = new HashMap<>();

    private PopNodes(RoundProblem problem, int count) {
        this.problem = problem;
        this.count = count;
        problem.nodes().forEach(node -> {
            leaders.put(node.id(), node.id());
            slots.put(node.id(), node.slots());
        });
        joinByJobs();
    }

    /** Returns by node id its part, from 0. */
    static Map<String, Integer> deal(RoundProblem problem, int count, Random random) {
        List<List<Node>> joined = new PopNodes(problem, count).groups();
        Collections.shuffle(joined, random);
        joined.sort(Comparator.comparingInt((List<Node> nodes) -> slots(nodes)).reversed());
        Map<String, Integer> partOf = new HashMap<>();
        Map<NodeClassName, int[]> dealt = new HashMap<>();
        for (List<Node> nodes : joined) {
            int[] slots = dealt.computeIfAbsent(NodeClassName.of(nodes.get(0)), className -> new int[count]);
            int min = IntStream.range(0, count)
                    .boxed()
                    .min(Comparator.comparingInt(part -> slots[part]))
                    .orElseThrow();
            nodes.forEach(node -> partOf.put(node.id(), min));
            slots[min] += slots(nodes);
        }
        return partOf;
    }

    private void joinByJobs() {
        boolean keepsAll = problem.settings().maxRestarts() != null;
        double max = keepsAll ? Double.POSITIVE_INFINITY : slots(problem.nodes()) * LARGEST_SHARE / count;
        JobPins pins = JobPins.of(problem);
        problem.jobs().stream()
                .filter(job -> job.allocation() != null)
                .sorted(Comparator.comparing(job -> !pins.isPinned(job)))
                .forEach(job -> join(job, pins.isPinned(job) ? Double.POSITIVE_INFINITY : max));
    }

    private void join(Job job, double max) {
        Set<String> own = new HashSet<>();
        for (NodeShare share : Objects.requireNonNull(job.allocation()).placement()) {
            own.add(leader(share.node()));
        }
        int sum = own.stream().mapToInt(node -> slots.getOrDefault(node, 0)).sum();
        if (own.size() > 1 && sum <= max) {
            String first = Collections.min(own);
            own.forEach(node -> leaders.put(node, first));
            slots.put(first, sum);
        }
    }

    private String leader(String node) {
        String at = node;
        for (String above = leaders.get(at); above != null && !above.equals(at); above = leaders.get(at)) {
            at = above;
        }
        return at;
    }

    /** Returns each node with the nodes joined to it. */
    private List<List<Node>> groups() {
        Map<String, List<Node>> groups = new LinkedHashMap<>();
        for (Node node : problem.nodes()) {
            groups.computeIfAbsent(leader(node.id()), leader -> new ArrayList<>())
                    .add(node);
        }
        return new ArrayList<>(groups.values());
    }

    private static int slots(List<Node> nodes) {
        return nodes.stream().mapToInt(Node::slots).sum();
    }
}
