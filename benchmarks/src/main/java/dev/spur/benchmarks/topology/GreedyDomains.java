package dev.spur.benchmarks.topology;

import dev.spur.model.cluster.TopologyLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Baseline by the documentation of Kueue's topology-aware scheduling ("preferred" topology), written independently.
 *
 * <p>Gangs are considered by arrival; a gang that does not fit lets later ones pass. Of the domains of the preferred
 * level that hold it, a gang takes the fullest. Without one, it takes such a domain of the level above. In a larger
 * domain, or in the whole cluster, it takes the parts with the most free nodes first. The last part is the fullest that
 * holds the rest. Running gangs are not moved.
 */
final class GreedyDomains implements GangPlacement {
    private final int racks;
    private final List<List<Integer>> free = new ArrayList<>();

    /** @param nodes number of nodes of the cluster */
    GreedyDomains(int nodes) {
        this.racks = nodes / RackedCluster.NODES_PER_RACK;
    }

    @Override
    public Map<Gang, List<Integer>> next(int round, List<Gang> waiting, Map<Gang, List<Integer>> running) {
        boolean[] used = new boolean[racks * RackedCluster.NODES_PER_RACK];
        running.values().forEach(nodes -> nodes.forEach(v -> used[v] = true));
        free.clear();
        for (int rack = 0; rack < racks; rack++) {
            int first = rack * RackedCluster.NODES_PER_RACK;
            free.add(new ArrayList<>(IntStream.range(first, first + RackedCluster.NODES_PER_RACK)
                    .filter(v -> !used[v])
                    .boxed()
                    .toList()));
        }
        Map<Gang, List<Integer>> next = new LinkedHashMap<>(running);
        for (Gang gang : waiting) {
            int[] taken = place(gang);
            if (taken.length > 0) {
                List<Integer> nodes = new ArrayList<>();
                for (int rack = 0; rack < racks; rack++) {
                    List<Integer> own = free.get(rack).subList(0, taken[rack]);
                    nodes.addAll(own);
                    own.clear();
                }
                next.put(gang, nodes);
            }
        }
        return next;
    }

    /** Returns the number of nodes to take of each rack; empty if the gang does not fit. */
    private int[] place(Gang gang) {
        int[] all = IntStream.range(0, racks).toArray();
        int[] taken = new int[racks];
        if (freeOf(all) < gang.nodes()) {
            return new int[0];
        }
        List<int[]> blocks = IntStream.range(0, racks / RackedCluster.RACKS_PER_BLOCK)
                .mapToObj(b -> Arrays.copyOfRange(
                        all, b * RackedCluster.RACKS_PER_BLOCK, (b + 1) * RackedCluster.RACKS_PER_BLOCK))
                .toList();
        List<int[]> single = Arrays.stream(all).mapToObj(r -> new int[] {r}).toList();
        int[] rack = gang.preferredLevel() == TopologyLevel.RACK ? tightest(single, gang.nodes()) : new int[0];
        int[] block = rack.length > 0 ? rack : tightest(blocks, gang.nodes());
        if (block.length > 0) {
            spread(block, gang.nodes(), taken);
            return taken;
        }
        int left = gang.nodes();
        List<int[]> open = new ArrayList<>(blocks);
        while (left > 0) {
            int[] last = tightest(open, left);
            int[] next = last.length > 0 ? last : largest(open);
            int count = Math.min(left, freeOf(next));
            spread(next, count, taken);
            left -= count;
            open.remove(next);
        }
        return taken;
    }

    /** Takes {@code count} free nodes of {@code own}, racks of one block, from as few racks as possible. */
    private void spread(int[] own, int count, int[] taken) {
        List<int[]> open = new ArrayList<>();
        for (int rack : own) {
            open.add(new int[] {rack});
        }
        int left = count;
        while (left > 0) {
            int[] last = tightest(open, left);
            int[] next = last.length > 0 ? last : largest(open);
            int part = Math.min(left, freeOf(next));
            taken[next[0]] += part;
            left -= part;
            open.remove(next);
        }
    }

    private int[] tightest(List<int[]> domains, int count) {
        return domains.stream()
                .filter(domain -> freeOf(domain) >= count)
                .min(Comparator.comparingInt(this::freeOf))
                .orElse(new int[0]);
    }

    private int[] largest(List<int[]> domains) {
        return domains.stream().max(Comparator.comparingInt(this::freeOf)).orElseThrow();
    }

    private int freeOf(int[] domain) {
        return IntStream.of(domain).map(rack -> free.get(rack).size()).sum();
    }
}
