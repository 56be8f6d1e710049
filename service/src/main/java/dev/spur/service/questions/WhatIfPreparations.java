package dev.spur.service.questions;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.SolutionQuality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/** Plans for data preparations with and without the changes. Members as in the contract. */
record WhatIfPreparations(
        @Nullable SolutionQuality baseline,
        @Nullable SolutionQuality changed,
        List<PlannedPreparation> running,
        List<PreparationChange> changes,
        List<PendingJob> waiting) {
    WhatIfPreparations {
        running = List.copyOf(running);
        changes = List.copyOf(changes);
        waiting = List.copyOf(waiting);
    }

    /** How one preparation differs between two plans. Members as in the contract. */
    record PreparationChange(
            String jobId,
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
        /** Kinds of changes. */
        enum Kind {
            /** Only the second plan starts it. */
            START,
            /** The first plan runs it, and it waits in the second. */
            WAIT,
            /** The first plan runs it, and it is not part of the second. */
            END,
            /** It runs on another node. */
            MOVE,
            /** It has other memory. */
            MEMORY
        }

        /** The preparations that differ, by id. A plan is null if it has no preparations. */
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
                plan.running().forEach(planned -> byId.put(planned.jobId(), planned));
            }
            return byId;
        }

        /** The granted memory without the time of its start, for comparison. */
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
                    : plan.waiting().stream().map(PendingJob::jobId).collect(Collectors.toSet());
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
                    message(kind, describe(old), describe(now)));
        }

        private static String message(Kind kind, String from, String to) {
            return switch (kind) {
                case START -> "It starts %s.".formatted(to);
                case WAIT -> "It waits instead of running %s.".formatted(from);
                case END -> "It is removed instead of running %s.".formatted(from);
                case MOVE -> "It starts %s instead of %s.".formatted(to, from);
                case MEMORY -> "It runs %s instead of %s.".formatted(to, from);
            };
        }

        private static String describe(@Nullable PlannedPreparation planned) {
            return planned == null
                    ? ""
                    : "on %s with %d GiB local and %d GiB remote memory"
                            .formatted(
                                    planned.grant().node(),
                                    planned.grant().localGiB(),
                                    planned.grant().borrowedGiB());
        }
    }

    /** Compares two plans; null if neither has preparations. */
    static @Nullable WhatIfPreparations between(@Nullable PreparationPlan before, @Nullable PreparationPlan after) {
        return before == null && after == null
                ? null
                : new WhatIfPreparations(
                        before == null ? null : before.quality(),
                        after == null ? null : after.quality(),
                        after == null ? List.of() : after.running(),
                        PreparationChange.between(before, after),
                        after == null ? List.of() : after.waiting());
    }

    /** This result without the preparations that must not be shown. */
    WhatIfPreparations only(Predicate<String> shown) {
        return new WhatIfPreparations(
                baseline,
                changed,
                running.stream().filter(planned -> shown.test(planned.jobId())).toList(),
                changes.stream().filter(change -> shown.test(change.jobId())).toList(),
                waiting.stream().filter(pending -> shown.test(pending.jobId())).toList());
    }
}
