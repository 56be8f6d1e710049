package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.PastUsage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What tenants have used in a replay, each second decayed by its age, where the past counts. */
final class DecayedUsage {
    /** Slot-seconds as of a time. */
    private record Used(double slotSeconds, double time) {}

    private final FairShareSettings settings;
    private final Map<String, Used> used = new TreeMap<>();
    private double begin = Double.NEGATIVE_INFINITY;

    /** @param before what was used before the replay begins, at 0 unless {@link #begin} says otherwise */
    DecayedUsage(List<PastUsage> before, FairShareSettings settings) {
        this.settings = settings;
        before.forEach(past -> used.put(past.tenant(), new Used(past.slotSeconds(), 0)));
    }

    /** The replay begins at {@code time}; what jobs held until then has been counted. */
    void begin(double time) {
        begin = time;
        used.replaceAll((tenant, before) -> new Used(before.slotSeconds(), time));
    }

    /** A job of {@code tenant} no longer holds what it held. */
    void ended(String tenant, AllocationInterval stay) {
        if (settings.isEnabled()) {
            add(used, tenant, slotSeconds(stay.allocation(), stay.start(), stay.end()), stay.end());
        }
    }

    /** The problem with what tenants have used, those jobs included that still run. */
    RoundProblem applied(RoundProblem problem, Collection<ActiveJob> active) {
        if (!settings.isEnabled()) {
            return problem;
        }
        double now = problem.now();
        Map<String, Used> all = new TreeMap<>(used);
        for (ActiveJob job : active) {
            Allocation held = job.allocation();
            if (held != null) {
                add(all, job.source().tenant(), slotSeconds(held, held.since(), now), now);
            }
        }
        return problem.withPastUsage(all.entrySet().stream()
                .map(entry -> new PastUsage(entry.getKey(), at(entry.getValue(), now)))
                .toList());
    }

    private double slotSeconds(Allocation held, double start, double end) {
        return settings.decayedUsage(held.configuration().slots(), Math.max(0, end - Math.max(start, begin)));
    }

    private void add(Map<String, Used> to, String tenant, double slotSeconds, double time) {
        Used before = to.getOrDefault(tenant, new Used(0, time));
        to.put(tenant, new Used(at(before, time) + slotSeconds, time));
    }

    private double at(Used past, double time) {
        return past.slotSeconds() * settings.decay(time - past.time());
    }
}
