package dev.spur.service.round;

import dev.spur.service.plan.PlanStore;
import dev.spur.service.round.history.RoundOutcome;
import dev.spur.service.round.history.RoundStore;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Records rounds, and removes the oldest records, plans and proposals. */
@Component
class RoundRecorder {
    /** Number of rounds after which old rounds, plans and proposals are deleted. */
    private static final int ROUNDS_PER_DELETION = 10;

    private static final Logger LOG = LoggerFactory.getLogger(RoundRecorder.class);

    private final RoundStore rounds;
    private final PlanStore plans;
    private final Approvals approvals;
    private final RoundProperties properties;

    RoundRecorder(RoundStore rounds, PlanStore plans, Approvals approvals, RoundProperties properties) {
        this.rounds = rounds;
        this.plans = plans;
        this.approvals = approvals;
        this.properties = properties;
    }

    /** The number of a new round; empty if the lease is lost. */
    OptionalLong begin(Lease lease, String trigger) {
        return rounds.begin(lease.domain(), lease.holder(), lease.term(), trigger);
    }

    /** Records the outcome of a round, also during a shutdown. A failure here does not affect the published plan. */
    void finish(Lease lease, long number, RoundOutcome outcome) {
        boolean interrupted = Thread.interrupted();
        try {
            rounds.finish(number, lease.term(), outcome);
            if (number % ROUNDS_PER_DELETION == 0) {
                rounds.prune(properties.snapshotsKept(), properties.keepRounds());
                plans.prune(properties.keepPlans());
                approvals.prune(properties.keepPlans());
            }
        } catch (RuntimeException failure) {
            LOG.warn("the record of round {} could not be stored", number, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
