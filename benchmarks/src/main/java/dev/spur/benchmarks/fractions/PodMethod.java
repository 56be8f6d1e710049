package dev.spur.benchmarks.fractions;

import dev.spur.model.cluster.Node;
import dev.spur.model.round.RoundSettings;
import java.util.List;

/** Methods of the comparison. */
public enum PodMethod {
    RANDOM,
    DOT_PRODUCT,
    CLUSTERING,
    PACKING,
    BEST_FIT,
    /** Fragmentation gradient descent. */
    FGD,
    /** Rounds of Spur; FGD binds the pods without GPUs. */
    SPUR;

    /**
     * Returns the method for an empty cluster of {@code nodes}.
     *
     * @param typical pods whose distribution FGD knows
     * @param seed seed of {@link #RANDOM}
     * @param settings settings of Spur's rounds
     */
    PodPlacement placement(List<Node> nodes, List<PodRequest> typical, long seed, RoundSettings settings) {
        return switch (this) {
            case RANDOM -> new RandomPlacement(seed);
            case DOT_PRODUCT -> new ScoredPlacement(PodScore.DOT_PRODUCT);
            case CLUSTERING -> new ScoredPlacement(PodScore.CLUSTERING);
            case PACKING -> new ScoredPlacement(PodScore.PACKING);
            case BEST_FIT -> new ScoredPlacement(PodScore.BEST_FIT);
            case FGD -> new ScoredPlacement(new Fragmentation(typical));
            case SPUR -> new SpurPods(nodes, settings, new ScoredPlacement(new Fragmentation(typical)));
        };
    }
}
