package dev.spur.benchmarks.topology;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.job.TopologyRequest.Policy;
import dev.spur.model.round.RoundSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Rounds with random gangs, of which enough wait that the cluster is full. */
public final class GangRounds {
    private static final int BACKLOG = 12;
    private static final int MAX_NODES = 64;
    private static final int MAX_ROUNDS = 20;

    private final RackedCluster cluster;
    private final GangPlacement method;
    private final Random random;
    private final Map<Gang, List<Integer>> running = new LinkedHashMap<>();
    private final Map<Gang, Integer> roundsLeft = new LinkedHashMap<>();
    private final List<Gang> waiting = new ArrayList<>();
    private int arrived;
    private long gangRounds;
    private long within;
    private long crossings;
    private long usedNodes;
    private int moves;
    private final List<Double> seconds = new ArrayList<>();
    private double largestSeconds;

    private GangRounds(RackedCluster cluster, GangPlacement method, long seed) {
        this.cluster = cluster;
        this.method = method;
        this.random = new Random(seed);
    }

    /**
     * Result over all rounds.
     *
     * @param within share of the running gangs within the lowest level that holds them
     * @param crossings mean boundaries of a running gang, from that level upwards
     * @param used mean share of the slots in use
     * @param moves number of moves and stops of running gangs
     * @param seconds time of each round
     * @param largestSeconds longest time of a round in which a gang of 512 slots waits; 0 without one
     */
    public record Result(
            double within, double crossings, double used, int moves, List<Double> seconds, double largestSeconds) {
        public Result {
            seconds = List.copyOf(seconds);
        }
    }

    /** Returns the result of Kueue's published greedy algorithm. */
    public static Result ofGreedy(RackedCluster cluster, long seed, int rounds) {
        return new GangRounds(cluster, new GreedyDomains(cluster.nodes().size()), seed).run(rounds);
    }

    /**
     * How Spur's policy plans.
     *
     * @param movesGangs whether rounds may stop and move running gangs
     * @param factor speed of a gang across a boundary, above 0 and below 1
     * @param settings settings of the rounds
     */
    public record Method(boolean movesGangs, double factor, RoundSettings settings) {}

    /** Returns the result of Spur's policy. */
    public static Result ofSpur(RackedCluster cluster, long seed, int rounds, Method method) {
        return new GangRounds(cluster, new SpurGangs(cluster, method), seed).run(rounds);
    }

    private Result run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            roundsLeft.values().removeIf(left -> left == 0);
            running.keySet().retainAll(roundsLeft.keySet());
            while (waiting.size() < BACKLOG) {
                waiting.add(arrival(round));
            }
            boolean hasLargest = waiting.stream().anyMatch(gang -> gang.nodes() == MAX_NODES);
            long start = System.nanoTime();
            Map<Gang, List<Integer>> next = method.next(round, List.copyOf(waiting), new LinkedHashMap<>(running));
            double elapsed = (System.nanoTime() - start) / 1e9;
            seconds.add(elapsed);
            largestSeconds = hasLargest ? Math.max(largestSeconds, elapsed) : largestSeconds;
            adopt(next);
        }
        return new Result(
                (double) within / gangRounds,
                (double) crossings / gangRounds,
                (double) usedNodes / rounds / cluster.nodes().size(),
                moves,
                seconds,
                largestSeconds);
    }

    private Gang arrival(int round) {
        double size = Math.pow(MAX_NODES, random.nextDouble());
        int nodes = random.nextInt(10) == 0 ? MAX_NODES : (int) Math.round(size);
        return new Gang("g" + arrived++, nodes, 1 + random.nextInt(MAX_ROUNDS), round);
    }

    private void adopt(Map<Gang, List<Integer>> next) {
        for (Gang gang : List.copyOf(running.keySet())) {
            moves += Objects.equals(running.get(gang), next.get(gang)) ? 0 : 1;
            if (!next.containsKey(gang)) {
                waiting.add(0, gang);
            }
        }
        running.clear();
        running.putAll(next);
        waiting.removeAll(next.keySet());
        next.forEach((gang, nodes) -> {
            roundsLeft.merge(gang, gang.rounds() - 1, (left, first) -> left - 1);
            int own = crossings(gang, nodes);
            gangRounds++;
            within += own == 0 ? 1 : 0;
            crossings += own;
            usedNodes += nodes.size();
        });
    }

    private int crossings(Gang gang, Collection<Integer> nodes) {
        List<Node> own = nodes.stream().map(cluster.nodes()::get).toList();
        return new TopologyRequest(gang.preferredLevel(), Policy.PREFER, null).crossings(own);
    }
}
