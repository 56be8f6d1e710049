package dev.spur.service.rounds;

import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Deletes the oldest rounds, plans and proposals after every tenth round. Their retention is a number, not an age: a
 * cluster that plans often keeps as many as one that plans rarely.
 */
@Component
class RoundRetention implements RoundObserver {
    private static final Logger LOG = LoggerFactory.getLogger(RoundRetention.class);
    private static final int ROUNDS_PER_DELETION = 10;

    private final RoundStore rounds;
    private final PlanStore plans;
    private final Approvals approvals;
    private final RoundProperties properties;

    RoundRetention(RoundStore rounds, PlanStore plans, Approvals approvals, RoundProperties properties) {
        this.rounds = rounds;
        this.plans = plans;
        this.approvals = approvals;
        this.properties = properties;
    }

    @Override
    public void onEnd(RoundReport report) {
        boolean hasBegun = report.number() > 0;
        if (!hasBegun || report.number() % ROUNDS_PER_DELETION != 0) {
            return;
        }
        try {
            plans.prune(properties.keepPlans());
            approvals.prune(properties.keepPlans());
            // Last, because the round of a stored plan is not deleted.
            rounds.prune(properties.retainedSnapshots(), properties.keepRounds());
        } catch (DataAccessException failure) {
            LOG.warn("cannot delete old rounds after round {}: {}", report.number(), failure.getMessage());
        }
    }
}
