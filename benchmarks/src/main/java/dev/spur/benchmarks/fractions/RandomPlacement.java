package dev.spur.benchmarks.fractions;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Binds each pod to a random place among those where it fits. */
final class RandomPlacement implements PodPlacement {
    private final Random random;

    RandomPlacement(long seed) {
        random = new Random(seed);
    }

    @Override
    public List<Optional<Binding>> place(List<PodRequest> pods, List<FreeNode> nodes) {
        List<Optional<Binding>> bindings = new ArrayList<>();
        for (PodRequest pod : pods) {
            List<Integer> possible = IntStream.range(0, nodes.size())
                    .filter(v -> nodes.get(v).fits(pod))
                    .boxed()
                    .toList();
            bindings.add(possible.isEmpty() ? Optional.empty() : Optional.of(bind(pod, random(possible), nodes)));
        }
        return bindings;
    }

    private Binding bind(PodRequest pod, int node, List<FreeNode> nodes) {
        List<Integer> gpus = random(nodes.get(node).choices(pod));
        nodes.get(node).take(pod, gpus);
        return new Binding(node, gpus);
    }

    private <T> T random(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
