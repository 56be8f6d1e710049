package dev.spur.model.round;

import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.objective.Objective;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.QuotaSettings;
import org.jspecify.annotations.Nullable;

/** A builder of settings that differ from base settings in the values set here. */
final class RoundSettingsEdit {
    private final RoundSettings base;
    Objective objective;
    double gapTarget;
    SolveBudget budget;

    @Nullable
    Integer maxRestarts;

    double starvationLimitSeconds;

    @Nullable
    Double waitLimitFactor;

    LendingSettings lending;
    FairShareSettings fairShare;
    QuotaSettings quotas;

    RoundSettingsEdit(RoundSettings base) {
        this.base = base;
        objective = base.objective();
        gapTarget = base.gapTarget();
        budget = base.budget();
        maxRestarts = base.maxRestarts();
        starvationLimitSeconds = base.starvationLimitSeconds();
        waitLimitFactor = base.waitLimitFactor();
        lending = base.lending();
        fairShare = base.fairShare();
        quotas = base.quotas();
    }

    RoundSettings build() {
        return new RoundSettings(
                objective,
                base.horizon(),
                gapTarget,
                budget,
                maxRestarts,
                starvationLimitSeconds,
                waitLimitFactor,
                base.agingSeconds(),
                base.aggregation(),
                lending,
                fairShare,
                quotas);
    }
}
