package dev.spur.service.executor;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemException.Action;
import dev.spur.service.contract.ProblemType;
import java.util.Optional;

/** Rejects reports of an outdated registration or of an executor that was marked as lost. */
final class EpochGuard {
    private EpochGuard() {}

    /** Requires that the executor exists. */
    static StoredExecutor requireKnown(Optional<StoredExecutor> executor, String id) {
        return executor.orElseThrow(
                () -> ProblemException.notFound("executor", id).withAction(Action.REGISTER));
    }

    /** Requires that {@code registrationEpoch} is the current one and that the executor is not lost. */
    static StoredExecutor requireCurrent(Optional<StoredExecutor> executor, String id, long registrationEpoch) {
        StoredExecutor known = requireKnown(executor, id);
        if (known.lost() || known.overdue()) {
            throw stale("The lease of the executor has expired, and it was marked as lost.");
        }
        if (known.registrationEpoch() != registrationEpoch) {
            throw stale("The registration epoch of the executor is %d, the report carries %d."
                    .formatted(known.registrationEpoch(), registrationEpoch));
        }
        return known;
    }

    private static ProblemException stale(String why) {
        return ProblemException.of(ProblemType.STALE_REGISTRATION, why).withAction(Action.REGISTER);
    }
}
