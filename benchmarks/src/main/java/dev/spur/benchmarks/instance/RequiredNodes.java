package dev.spur.benchmarks.instance;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.NodeRequirement.Operator;
import dev.spur.model.job.Job;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Different requirements on nodes, which half of the jobs of an instance have. */
final class RequiredNodes {
    /** Number of different requirements. */
    private static final int COUNT = 64;

    private static final int PLACES_OF_OVERLAP = 8;
    private static final String PLACE = "place";

    private final Random random;
    private final List<List<NodeRequirement>> requirements;

    private RequiredNodes(Random random, List<List<NodeRequirement>> requirements) {
        this.random = random;
        this.requirements = requirements;
    }

    /** Returns {@code nodes} with the label of their place, of which there are as many as requirements. */
    static List<Node> withPlaces(List<Node> nodes) {
        return IntStream.range(0, nodes.size())
                .mapToObj(v -> nodes.get(v).withLabels(Map.of(PLACE, "p" + v * COUNT / nodes.size())))
                .toList();
    }

    /** Returns the requirements of an instance with {@code features}; none without one of these kinds. */
    static RequiredNodes of(long seed, Set<Feature> features, List<Node> nodes) {
        Random random = new Random(seed + 17);
        List<List<NodeRequirement>> found = new ArrayList<>();
        if (features.contains(Feature.PLACES)) {
            IntStream.range(0, COUNT).forEach(i -> found.add(in(PLACE, List.of("p" + i))));
        }
        if (features.contains(Feature.NAMES)) {
            List<String> names = new ArrayList<>(nodes.stream()
                    .filter(node -> node.slots() > 0)
                    .map(Node::id)
                    .toList());
            Collections.shuffle(names, random);
            names.stream().limit(COUNT).forEach(name -> found.add(in("spur/node", List.of(name))));
        }
        if (features.contains(Feature.OVERLAPS)) {
            for (int i = 0; i < COUNT; i++) {
                found.add(in(
                        PLACE,
                        random.ints(0, COUNT)
                                .distinct()
                                .limit(PLACES_OF_OVERLAP)
                                .mapToObj(place -> "p" + place)
                                .toList()));
            }
        }
        return new RequiredNodes(random, found);
    }

    private static List<NodeRequirement> in(String label, List<String> values) {
        return List.of(new NodeRequirement(label, Operator.IN, values));
    }

    /** Returns {@code job}, in half of the calls with a requirement. */
    Job next(Job job) {
        return requirements.isEmpty() || random.nextBoolean()
                ? job
                : job.withSpec(job.spec()
                        .edit()
                        .elasticity(job.spec()
                                .elasticity()
                                .withNodes(requirements.get(random.nextInt(requirements.size()))))
                        .build());
    }
}
