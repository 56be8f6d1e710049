package dev.spur.solver.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeAccess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of nodes and devices with shares against the enumeration of all sets of pieces. */
class SharePatternsTest {
    private static final int[] PARTS = {20, 30, 35, 45, 50, 60, 80};

    private static NodeShareKind share(int parts, double cpus) {
        return new NodeShareKind(1, parts, new HostDemand(cpus, 0), NodeAccess.WHOLE);
    }

    @Test
    void aDeviceHoldsMaximalSetsOfShares() {
        List<int[]> fills = DeviceFills.of(List.of(share(60, 0), share(30, 0)), kind -> true, 100, 10).stream()
                .map(DeviceFills.Fill::counts)
                .toList();

        assertThat(fills).containsExactlyInAnyOrder(new int[] {1, 1}, new int[] {0, 3});
    }

    @Test
    void whereHostsBindADeviceHoldsAllSets() {
        assertThat(DeviceFills.of(List.of(share(60, 1), share(30, 1)), kind -> true, 100, 10).stream()
                        .map(DeviceFills.Fill::counts))
                .containsExactlyInAnyOrder(
                        new int[] {1, 1}, new int[] {1, 0}, new int[] {0, 3}, new int[] {0, 2}, new int[] {0, 1});
    }

    @Test
    void theEnumerationEndsBeyondTheLimit() {
        List<NodeShareKind> kinds =
                IntStream.of(PARTS).mapToObj(parts -> share(parts, 0)).toList();

        assertThat(DeviceFills.of(kinds, kind -> true, 100, 3)).hasSizeGreaterThan(3);
        assertThat(MaximalPatterns.of(new ResidualNode(8, 0, 0, 0), kinds, 50)).isEmpty();
    }

    /** Each pattern fits, and each set of pieces that fits is part of a pattern. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void patternsAreThoseThatFit(boolean hostsBind) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<NodeShareKind> kinds = new ArrayList<>(List.of(
                    new NodeShareKind(1 + random.nextInt(2), new HostDemand(hostsBind ? random.nextInt(3) : 0, 0))));
            random.ints(0, PARTS.length)
                    .distinct()
                    .limit(2)
                    .forEach(p -> kinds.add(share(PARTS[p], hostsBind ? random.nextInt(3) : 0)));
            kinds.sort(NodeShareKind.LARGEST_FIRST);
            List<Integer> rooms = random.nextBoolean() ? List.of() : List.of(10 + random.nextInt(80));
            ResidualNode node = new ResidualNode(random.nextInt(3), rooms, hostsBind ? random.nextInt(9) : 0, 0, 0);

            List<int[]> patterns = MaximalPatterns.of(node, kinds, 100_000);

            assertThat(patterns).as("patterns for seed %d", seed).allMatch(pattern -> fits(node, kinds, pattern));
            for (int[] counts : allCounts(kinds.size(), 7)) {
                if (fits(node, kinds, counts)) {
                    assertThat(patterns)
                            .as("%s for seed %d", Arrays.toString(counts), seed)
                            .anyMatch(pattern ->
                                    IntStream.range(0, counts.length).allMatch(k -> pattern[k] >= counts[k]));
                }
            }
        }
    }

    private static List<int[]> allCounts(int kinds, int max) {
        List<int[]> all = List.of(new int[0]);
        for (int k = 0; k < kinds; k++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] counts : all) {
                for (int count = 0; count <= max; count++) {
                    int[] more = Arrays.copyOf(counts, counts.length + 1);
                    more[counts.length] = count;
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    private static boolean fits(ResidualNode node, List<NodeShareKind> kinds, int[] counts) {
        double cpus = 0;
        int devices = node.slots();
        List<Integer> shares = new ArrayList<>();
        for (int k = 0; k < counts.length; k++) {
            NodeShareKind kind = kinds.get(k);
            cpus += counts[k] * kind.size() * kind.demand().cpusPerSlot();
            devices -= kind.isWhole() ? counts[k] * kind.size() : 0;
            for (int i = 0; i < counts[k] && !kind.isWhole(); i++) {
                shares.add(kind.parts());
            }
        }
        if (devices < 0 || cpus > node.cpus() + 1e-6) {
            return false;
        }
        int[] left = IntStream.concat(
                        node.rooms().stream().mapToInt(Integer::intValue),
                        IntStream.range(0, devices).map(d -> Elasticity.PARTS))
                .toArray();
        return pack(shares, 0, left);
    }

    private static boolean pack(List<Integer> shares, int first, int[] left) {
        if (first == shares.size()) {
            return true;
        }
        for (int d = 0; d < left.length; d++) {
            if (left[d] >= shares.get(first)) {
                left[d] -= shares.get(first);
                boolean isPacked = pack(shares, first + 1, left);
                left[d] += shares.get(first);
                if (isPacked) {
                    return true;
                }
            }
        }
        return false;
    }
}
