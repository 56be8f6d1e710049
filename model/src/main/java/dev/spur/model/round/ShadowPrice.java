package dev.spur.model.round;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The shadow price of a resource: the change of the objective value per additional unit, from the last dual values of a
 * relaxation of the round.
 *
 * <p>It is an upper estimate. The Lagrangian bound L(p) at these dual values p is linear in the available amount of
 * each resource. With one more unit, no plan therefore has an objective value above L(p) plus the price (Geoffrion,
 * "Lagrangean relaxation for integer programming", 1974). The real gain of a unit is often smaller, because jobs take
 * slots in gangs and a single slot may start no job. The price of a resource that is not scarce is 0, or near 0 if the
 * price search ended early.
 *
 * @param resource name, as in pending reasons
 * @param kind kind of the resource
 * @param price objective value of one more unit; at least 0
 * @param available amount that preemptible jobs can hold together; for a cap or quota, the whole amount
 * @param averageSlots the price as a multiple of the average utility per used slot in the plan; null if that average is
 *     not above 0
 * @param message the price as one sentence for users
 */
public record ShadowPrice(
        String resource,
        ResourceKind kind,
        double price,
        double available,
        @Nullable Double averageSlots,
        String message) {
    public ShadowPrice {
        Checks.nonBlank("resource", resource);
        Checks.atLeast("price", price, 0);
    }
}
