package dev.spur.service.dataprep.api;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.dataprep.PreparationHistory;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.trigger.RoundTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Lifecycle operations of preparation owners. Each method is one transaction that has locked the preparation. */
@Component
@Transactional
class PreparationLifeCycle {
    private final PreparationStore preparations;
    private final PreparationHistory history;
    private final PreparationSubmissionService intake;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    PreparationLifeCycle(
            PreparationStore preparations,
            PreparationHistory history,
            PreparationSubmissionService intake,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.preparations = preparations;
        this.history = history;
        this.intake = intake;
        this.trigger = trigger;
        this.trail = trail;
    }

    /** Cancels a preparation. Canceling a canceled preparation changes nothing. */
    StoredPreparation cancel(String id, String caller) {
        return change(id, before -> {
            if (before.state() == PreparationState.CANCELLED) {
                return;
            }
            demandAlive(before);
            preparations.end(id, PreparationState.CANCELLED, null);
            history.tell(id, "CANCELLED", Map.of("by", caller));
            trigger.changed("preparation canceled");
        });
    }

    /**
     * Holds a preparation, so that no round starts it. A running preparation cannot be held, because its work would be
     * lost.
     */
    StoredPreparation hold(String id, String caller) {
        return change(id, before -> {
            demandAlive(before);
            if (before.held()) {
                return;
            }
            if (before.grant() != null) {
                throw ProblemException.of(
                        ProblemType.NOT_PREEMPTIBLE, "A running preparation cannot be held; it can be canceled.");
            }
            preparations.hold(id, true);
            history.tell(id, "HELD", Map.of("by", caller));
            trigger.changed("preparation held");
        });
    }

    /** Releases a held preparation. */
    StoredPreparation release(String id, String caller) {
        return change(id, before -> {
            demandAlive(before);
            if (!before.held()) {
                return;
            }
            preparations.hold(id, false);
            history.tell(id, "RELEASED", Map.of("by", caller));
            trigger.changed("preparation released");
        });
    }

    /**
     * Fields of a preparation that its owner can change.
     *
     * @param name its display name
     * @param labels names and values set by the owner
     * @param spec its specification
     */
    record Editable(String name, Map<String, String> labels, PreparationSpec spec) {
        static Editable of(StoredPreparation stored) {
            return new Editable(stored.name(), stored.labels(), stored.spec());
        }
    }

    /** Changes a preparation if {@code ifMatch} names its current version. */
    StoredPreparation edit(
            String id, Optional<String> ifMatch, String caller, Function<StoredPreparation, Editable> edit) {
        return change(id, before -> {
            EntityTag.of(before.version()).require(ifMatch);
            demandAlive(before);
            Editable after = edit.apply(before);
            if (after.equals(Editable.of(before))) {
                return;
            }
            if (!after.spec().equals(before.spec())) {
                requireSamePlacement(before, after.spec());
                intake.requireFeasible(after.spec());
            }
            preparations.respecify(id, after.name(), after.labels(), after.spec());
            history.tell(id, "CHANGED", Map.of("by", caller));
            trigger.changed("preparation changed");
        });
    }

    /** Requires that the fields that determine placement do not change while it runs. */
    private static void requireSamePlacement(StoredPreparation before, PreparationSpec after) {
        if (before.grant() == null) {
            return;
        }
        PreparationSpec now = before.spec();
        List<FieldError> errors = new ArrayList<>();
        demandSame(errors, "/spec/pools", now.pools(), after.pools());
        demandSame(errors, "/spec/cpus", now.cpus(), after.cpus());
        demandSame(errors, "/spec/workingSetGiB", now.workingSetGiB(), after.workingSetGiB());
        demandSame(errors, "/spec/minLocalFraction", now.minLocalFraction(), after.minLocalFraction());
        demandSame(errors, "/spec/slowDown", now.slowDown(), after.slowDown());
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.CONFLICT, errors);
        }
    }

    private static void demandSame(List<FieldError> errors, String pointer, Object now, Object after) {
        if (!now.equals(after)) {
            errors.add(FieldError.at(pointer, "cannot be changed while it runs"));
        }
    }

    private static void demandAlive(StoredPreparation preparation) {
        if (preparation.state().hasEnded()) {
            throw ProblemException.of(ProblemType.JOB_ENDED, "The preparation is " + preparation.state() + ".");
        }
    }

    private StoredPreparation change(String id, Consumer<StoredPreparation> work) {
        StoredPreparation before =
                preparations.lock(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
        work.accept(before);
        StoredPreparation after = preparations.find(id).orElseThrow();
        trail.changed("preparation", id, Audited.of(before), Audited.of(after));
        return after;
    }

    /** Fields of a preparation that callers can change, as recorded in the audit trail. */
    private record Audited(
            PreparationState state, boolean held, String name, Map<String, String> labels, PreparationSpec spec) {
        static Audited of(StoredPreparation stored) {
            return new Audited(stored.state(), stored.held(), stored.name(), stored.labels(), stored.spec());
        }
    }
}
