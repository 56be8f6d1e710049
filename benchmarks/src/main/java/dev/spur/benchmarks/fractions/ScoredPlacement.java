package dev.spur.benchmarks.fractions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Binds each pod to the place with the lowest score; of equal places, to the first. */
final class ScoredPlacement implements PodPlacement {
    private final PodScore score;
    /** By request: the best place on each node, if it is known. */
    private final Map<PodRequest, @Nullable Place[]> known = new HashMap<>();

    /**
     * Best place on a node.
     *
     * @param score its score; infinite if the pod does not fit
     * @param gpus its GPUs
     * @param version version of the node for which it holds
     */
    private record Place(double score, List<Integer> gpus, int version) {}

    ScoredPlacement(PodScore score) {
        this.score = score;
    }

    @Override
    public List<Optional<Binding>> place(List<PodRequest> pods, List<FreeNode> nodes) {
        List<Optional<Binding>> bindings = new ArrayList<>();
        for (PodRequest pod : pods) {
            Optional<Binding> best = best(pod, nodes);
            best.ifPresent(binding -> nodes.get(binding.node()).take(pod, binding.gpus()));
            bindings.add(best);
        }
        return bindings;
    }

    private Optional<Binding> best(PodRequest pod, List<FreeNode> nodes) {
        @Nullable Place[] places = known.computeIfAbsent(pod, key -> new Place[nodes.size()]);
        double best = Double.POSITIVE_INFINITY;
        Optional<Binding> binding = Optional.empty();
        for (int v = 0; v < places.length; v++) {
            Place place = places[v];
            if (place == null || place.version != nodes.get(v).version()) {
                place = place(pod, nodes.get(v));
                places[v] = place;
            }
            if (place.score < best) {
                best = place.score;
                binding = Optional.of(new Binding(v, place.gpus));
            }
        }
        return binding;
    }

    private Place place(PodRequest pod, FreeNode node) {
        Place best = new Place(Double.POSITIVE_INFINITY, List.of(), node.version());
        if (node.fits(pod)) {
            for (List<Integer> gpus : node.choices(pod)) {
                double own = score.of(node, pod, gpus);
                best = own < best.score ? new Place(own, gpus, node.version()) : best;
            }
        }
        return best;
    }
}
