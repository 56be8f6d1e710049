package dev.spur.service.explain;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingPreparation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * How one preparation differs between two plans.
 *
 * @param preparationId the preparation
 * @param change what differs
 * @param before what it holds by the first plan; null if it waits
 * @param after what it holds by the second; null if it waits, or is not there
 * @param slowDownBefore time that it takes by the first, as a multiple of that with all memory on its node; null if it
 *     waits
 * @param slowDownAfter the same by the second
 * @param objectiveDelta its part of the worth by the second plan, less that by the first
 * @param message the change in words
 */
record PreparationChange(
        String preparationId,
        Kind change,

        @JsonSerialize(using = Rfc3339.GrantSerializer.class)
        @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
        @Nullable
        PreparationAllocation before,

        @JsonSerialize(using = Rfc3339.GrantSerializer.class)
        @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
        @Nullable
        PreparationAllocation after,

        @Nullable Double slowDownBefore,
        @Nullable Double slowDownAfter,
        double objectiveDelta,
        String message) {
    /** What differs. */
    enum Kind {
        /** It starts only by the second plan. */
        START,
        /** It runs only by the first plan, and waits by the second. */
        WAIT,
        /** It runs by the first plan, and is not there for the second. */
        END,
        /** It runs on another node. */
        MOVE,
        /** It has other memory. */
        MEMORY
    }

    /** The preparations that differ, by id. A plan is null where there are none. */
    static List<PreparationChange> between(@Nullable PreparationPlan before, @Nullable PreparationPlan after) {
        Map<String, PlannedPreparation> ran = byId(before);
        Map<String, PlannedPreparation> runs = byId(after);
        Set<String> waits = waiting(after);
        TreeSet<String> ids = new TreeSet<>(ran.keySet());
        ids.addAll(runs.keySet());
        List<PreparationChange> changes = new ArrayList<>();
        for (String id : ids) {
            PlannedPreparation old = ran.get(id);
            PlannedPreparation now = runs.get(id);
            if (!Objects.equals(memory(old), memory(now))) {
                changes.add(of(id, kind(old, now, waits.contains(id)), old, now));
            }
        }
        return changes;
    }

    private static Map<String, PlannedPreparation> byId(@Nullable PreparationPlan plan) {
        Map<String, PlannedPreparation> byId = new HashMap<>();
        if (plan != null) {
            plan.running().forEach(planned -> byId.put(planned.preparationId(), planned));
        }
        return byId;
    }

    /** What is held; since when says nothing of that. */
    private static List<Object> memory(@Nullable PlannedPreparation planned) {
        return planned == null
                ? List.of()
                : List.of(
                        planned.grant().node(),
                        planned.grant().localGiB(),
                        planned.grant().loans());
    }

    private static Set<String> waiting(@Nullable PreparationPlan plan) {
        return plan == null
                ? Set.of()
                : plan.waiting().stream().map(PendingPreparation::preparationId).collect(Collectors.toSet());
    }

    private static Kind kind(@Nullable PlannedPreparation old, @Nullable PlannedPreparation now, boolean waits) {
        if (now == null) {
            return waits ? Kind.WAIT : Kind.END;
        }
        if (old == null) {
            return Kind.START;
        }
        return old.grant().node().equals(now.grant().node()) ? Kind.MEMORY : Kind.MOVE;
    }

    private static PreparationChange of(
            String id, Kind kind, @Nullable PlannedPreparation old, @Nullable PlannedPreparation now) {
        return new PreparationChange(
                id,
                kind,
                old == null ? null : old.grant(),
                now == null ? null : now.grant(),
                old == null ? null : old.slowDown(),
                now == null ? null : now.slowDown(),
                (now == null ? 0 : now.utility()) - (old == null ? 0 : old.utility()),
                message(kind, words(old), words(now)));
    }

    private static String message(Kind kind, String from, String to) {
        return switch (kind) {
            case START -> "It starts %s.".formatted(to);
            case WAIT -> "It waits, and would run %s otherwise.".formatted(from);
            case END -> "It is gone, and would run %s otherwise.".formatted(from);
            case MOVE -> "It starts %s, and not %s.".formatted(to, from);
            case MEMORY -> "It runs %s, and not %s.".formatted(to, from);
        };
    }

    private static String words(@Nullable PlannedPreparation planned) {
        return planned == null
                ? ""
                : "on %s with %d GiB there and %d lent"
                        .formatted(
                                planned.grant().node(),
                                planned.grant().localGiB(),
                                planned.grant().borrowedGiB());
    }
}
