package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.PastUsage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Usage of tenants in a replay, each second decayed by its age, if fair share is enabled. */
final class DecayedUsage {
    /** Slot-seconds as of a time. */
    private record Used(double slotSeconds, double time) {}

    private final FairShareSettings settings;
    private final Map<String, Used> used = new TreeMap<>();
    private double begin = Double.NEGATIVE_INFINITY;

    /**
     * Creates the usage.
     *
     * @param usageBefore usage before the replay begins, as of 0 or of the time of {@link #begin}
     */
    DecayedUsage(List<PastUsage> usageBefore, FairShareSettings settings) {
        this.settings = settings;
        usageBefore.forEach(past -> used.put(past.tenant(), new Used(past.slotSeconds(), 0)));
    }

    /** Sets the begin of the replay to {@code time}. Earlier usage of running jobs is already in the past usage. */
    void begin(double time) {
        begin = time;
        used.replaceAll((tenant, before) -> new Used(before.slotSeconds(), time));
    }

    /** Adds the usage of an allocation interval of {@code job} that ended. */
    void addInterval(ActiveJob job, AllocationInterval interval) {
        if (settings.isEnabled()) {
            double devices = job.devicesIn(interval.allocation());
            add(used, job.sourceJob().tenant(), slotSeconds(devices, interval.start(), interval.end()), interval.end());
        }
    }

    /** Returns {@code problem} with the usage of the tenants, including that of running jobs. */
    RoundProblem apply(RoundProblem problem, Collection<ActiveJob> active) {
        if (!settings.isEnabled()) {
            return problem;
        }
        double now = problem.now();
        Map<String, Used> all = new TreeMap<>(used);
        for (ActiveJob job : active) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null) {
                add(all, job.sourceJob().tenant(), slotSeconds(job.devices(), heldAllocation.since(), now), now);
            }
        }
        return problem.withPastUsage(all.entrySet().stream()
                .map(entry -> new PastUsage(entry.getKey(), at(entry.getValue(), now)))
                .toList());
    }

    private double slotSeconds(double devices, double start, double end) {
        return settings.decayedUsage(devices, Math.max(0, end - Math.max(start, begin)));
    }

    private void add(Map<String, Used> to, String tenant, double slotSeconds, double time) {
        Used before = to.getOrDefault(tenant, new Used(0, time));
        to.put(tenant, new Used(at(before, time) + slotSeconds, time));
    }

    private double at(Used past, double time) {
        return past.slotSeconds() * settings.decay(time - past.time());
    }
}
