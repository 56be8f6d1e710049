package dev.spur.model.round;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What one more unit of a resource would be worth, read off the last prices of a relaxation of the round.
 *
 * <p>It is an estimate from above. At these prices p the Lagrangian bound L(p) is linear in what there is of each
 * resource, so with one more unit no plan is worth more than L(p) plus the price (Geoffrion, "Lagrangean relaxation for
 * integer programming", 1974). What a unit really brings is often less: jobs take slots in gangs, and one slot alone
 * may start nothing. The price of what is not scarce is 0, or close to it where the search for prices was cut short.
 *
 * @param resource name, as in reasons of waits
 * @param kind what it is
 * @param price worth of one more unit, in units of the objective; at least 0
 * @param available how much of it jobs that may be touched can have together; of a cap or quota, all of it
 * @param averageSlots the price as a multiple of what a slot in use is worth on average in the plan; null if that is
 *     not above 0
 * @param message the same for people
 */
public record ShadowPrice(
        String resource,
        ResourceKind kind,
        double price,
        double available,
        @Nullable Double averageSlots,
        String message) {
    public ShadowPrice {
        Checks.named("resource", resource);
        Checks.atLeast("price", price, 0);
    }
}
