package dev.spur.solver.quota;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.Locale;

/**
 * Unit in which quotas and caps count slots: the largest one of which a slot and all shares of devices are multiples.
 * It is one slot where no job takes a share.
 *
 * @param perSlot units of a whole device, at least 1
 */
public record SlotUnits(int perSlot) {
    /** Returns the unit of {@code problem}. */
    public static SlotUnits of(RoundProblem problem) {
        int divisor = Elasticity.PARTS;
        for (Job job : problem.jobs()) {
            divisor = greatestCommonDivisor(divisor, job.spec().elasticity().partsPerDevice());
        }
        return new SlotUnits(Elasticity.PARTS / divisor);
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** Returns {@code slots} of whole devices in units; {@link Integer#MAX_VALUE}, which stands for no limit, stays. */
    public long of(long slots) {
        return slots == Integer.MAX_VALUE ? slots : slots * perSlot;
    }

    /** Returns {@code parts} of devices in units. */
    public long ofParts(long parts) {
        return parts * perSlot / Elasticity.PARTS;
    }

    /** Returns the use of {@code job} in {@code configuration}, in units. */
    public int of(Job job, Configuration configuration) {
        return (int) ofParts(job.spec().partsIn(configuration));
    }

    /** Returns {@code units} in slots. */
    public double slots(long units) {
        return (double) units / perSlot;
    }

    /** Returns {@code units} in slots for a message, such as {@code 1,200} or {@code 2.5}. */
    public String text(long units) {
        return units % perSlot == 0
                ? String.format(Locale.ROOT, "%,d", units / perSlot)
                : String.format(Locale.ROOT, "%,.2f", slots(units)).replaceFirst("0$", "");
    }
}
