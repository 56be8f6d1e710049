package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two plans, by job.
 *
 * @param base revision of the previous plan
 * @param revision revision of the new plan
 * @param changes the jobs that differ, by id
 * @param unchanged number of jobs that keep their allocation
 * @param restartSeconds sum over the changes
 */
public record PlanDiff(long base, long revision, List<PlanChange> changes, int unchanged, double restartSeconds) {
    public PlanDiff {
        changes = List.copyOf(changes);
    }

    /** The difference between two published plans. */
    public static PlanDiff between(PlanDocument before, PlanDocument after) {
        Set<String> known = new HashSet<>();
        after.waiting().forEach(pending -> known.add(pending.jobId()));
        return between(before.revision(), before.running(), after.revision(), after.running(), known);
    }

    /**
     * The difference between two lists of running jobs.
     *
     * @param waiting ids of the jobs that wait afterwards; a job that neither runs nor waits has ended
     */
    public static PlanDiff between(
            long base, List<PlanEntry> before, long revision, List<PlanEntry> after, Set<String> waiting) {
        Map<String, PlanEntry> ran = byJob(before);
        Map<String, PlanEntry> runs = byJob(after);
        Set<String> ids = new TreeSet<>(ran.keySet());
        ids.addAll(runs.keySet());
        List<PlanChange> changes = new ArrayList<>();
        for (String id : ids) {
            PlanEntry old = ran.get(id);
            PlanEntry now = runs.get(id);
            if (old == null || now == null || differ(old, now)) {
                changes.add(change(id, old, now, waiting.contains(id)));
            }
        }
        double restartSeconds =
                changes.stream().mapToDouble(PlanChange::restartSeconds).sum();
        return new PlanDiff(base, revision, changes, ids.size() - changes.size(), restartSeconds);
    }

    /** Returns true if the allocation has changed, by a restart or within its generation; a host grant may differ. */
    private static boolean differ(PlanEntry old, PlanEntry now) {
        Allocation before = old.allocation();
        Allocation after = now.allocation();
        return old.generation() != now.generation()
                || !after.sameRunAs(before)
                || !new HashSet<>(after.aggregation()).equals(new HashSet<>(before.aggregation()));
    }

    private static Map<String, PlanEntry> byJob(List<PlanEntry> entries) {
        return entries.stream()
                .collect(Collectors.toMap(PlanEntry::jobId, Function.identity(), (a, b) -> a, TreeMap::new));
    }

    private static PlanChange change(String id, @Nullable PlanEntry old, @Nullable PlanEntry now, boolean waits) {
        PlanChange.Kind kind = kind(old, now, waits);
        double goodputBefore = old == null ? 0 : old.goodput();
        double restartSeconds = now == null ? 0 : now.restartPenaltySeconds() * restarts(old, now);
        return new PlanChange(
                id,
                kind,
                old == null ? null : old.allocation(),
                now == null ? null : now.allocation(),
                restartSeconds,
                restartSeconds * goodputBefore,
                goodputBefore,
                now == null ? 0 : now.goodput(),
                (now == null ? 0 : now.utility()) - (old == null ? 0 : old.utility()),
                message(kind, old, now));
    }

    /** Number of restarts; of a job that did not run in the first plan, at most the last one counts. */
    private static int restarts(@Nullable PlanEntry old, PlanEntry now) {
        return old == null ? Math.min(1, now.restarts()) : Math.max(0, now.restarts() - old.restarts());
    }

    private static PlanChange.Kind kind(@Nullable PlanEntry old, @Nullable PlanEntry now, boolean waits) {
        if (now == null) {
            return waits ? PlanChange.Kind.PREEMPT : PlanChange.Kind.END;
        }
        if (old == null) {
            return PlanChange.Kind.START;
        }
        int more = slots(now) - slots(old);
        if (more != 0) {
            return more > 0 ? PlanChange.Kind.GROW : PlanChange.Kind.SHRINK;
        }
        boolean sameDevices = new HashSet<>(old.allocation().placement())
                .equals(new HashSet<>(now.allocation().placement()));
        return sameDevices ? PlanChange.Kind.RECONFIGURE : PlanChange.Kind.MOVE;
    }

    private static int slots(PlanEntry entry) {
        return entry.allocation().configuration().slots();
    }

    private static String message(PlanChange.Kind kind, @Nullable PlanEntry old, @Nullable PlanEntry now) {
        String from = old == null ? "" : describe(old.allocation());
        String to = now == null ? "" : describe(now.allocation());
        return switch (kind) {
            case START -> "It starts on %s.".formatted(to);
            case GROW -> "It grows from %s to %s.".formatted(from, to);
            case SHRINK -> "It shrinks from %s to %s.".formatted(from, to);
            case MOVE -> "It moves from %s to %s.".formatted(from, to);
            case RECONFIGURE -> "It stays on %s with another configuration.".formatted(to);
            case PREEMPT -> "It releases %s and waits.".formatted(from);
            case END -> "It has ended and releases %s.".formatted(from);
        };
    }

    private static String describe(Allocation allocation) {
        Configuration configuration = allocation.configuration();
        String nodes =
                allocation.placement().stream().map(piece -> piece.node()).collect(Collectors.joining(", "));
        int slots = configuration.slots();
        return "%d %s slot%s (%s)".formatted(slots, configuration.acceleratorType(), slots == 1 ? "" : "s", nodes);
    }
}
