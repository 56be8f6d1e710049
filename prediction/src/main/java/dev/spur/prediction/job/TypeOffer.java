package dev.spur.prediction.job;

import dev.spur.model.Checks;

/**
 * An accelerator type of a cluster.
 *
 * @param acceleratorType its name
 * @param slotsPerNode slots of its largest node
 * @param slots slots of all its nodes, at least {@code slotsPerNode}
 */
public record TypeOffer(String acceleratorType, int slotsPerNode, int slots) {
    public TypeOffer {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slotsPerNode", slotsPerNode, 1);
        Checks.require(slots >= slotsPerNode, "slots (%s) must be at least slotsPerNode (%s)", slots, slotsPerNode);
    }
}
