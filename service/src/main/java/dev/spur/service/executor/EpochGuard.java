package dev.spur.service.executor;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemException.Action;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.store.StoredExecutor;
import java.util.Optional;

/** Keeps out who was registered before the present registration, or was taken for lost. */
final class EpochGuard {
    private EpochGuard() {}

    /** The executor if it exists. */
    static StoredExecutor demandKnown(Optional<StoredExecutor> executor, String id) {
        return executor.orElseThrow(
                () -> ProblemException.notFound("executor", id).withAction(Action.REGISTER));
    }

    /** The executor if {@code registrationEpoch} is that of its registration and it may still hold what it holds. */
    static StoredExecutor demandCurrent(Optional<StoredExecutor> executor, String id, long registrationEpoch) {
        StoredExecutor known = demandKnown(executor, id);
        if (known.lost() || known.overdue()) {
            throw stale("The executor was silent for too long and is taken for lost.");
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
