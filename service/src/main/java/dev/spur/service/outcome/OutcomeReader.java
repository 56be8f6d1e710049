package dev.spur.service.outcome;

import dev.spur.service.outcome.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Reads the outcomes of a time range, as of one moment. */
@Component
class OutcomeReader {
    private final OutcomeStore outcomes;
    private final SlotUtilizationReader utilization;

    OutcomeReader(OutcomeStore outcomes, SlotUtilizationReader utilization) {
        this.outcomes = outcomes;
        this.utilization = utilization;
    }

    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public OutcomeReport read(AccessScope reach, TimeRange range) {
        List<TenantOutcome> rows = outcomes.between(reach, range);
        return new OutcomeReport(
                range.since(),
                range.until(),
                rows.get(0),
                rows.subList(1, rows.size()),
                utilization.read(reach, range));
    }
}
