package dev.spur.model.round;

import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ResourcePrices;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.QuotaSettings;
import org.jspecify.annotations.Nullable;

/** A builder of settings that differ from base settings in the values set here. */
final class RoundSettingsEdit {
    private final RoundSettings baseSettings;
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
    ResourcePrices prices;

    RoundSettingsEdit(RoundSettings baseSettings) {
        this.baseSettings = baseSettings;
        objective = baseSettings.objective();
        gapTarget = baseSettings.gapTarget();
        budget = baseSettings.budget();
        maxRestarts = baseSettings.maxRestarts();
        starvationLimitSeconds = baseSettings.starvationLimitSeconds();
        waitLimitFactor = baseSettings.waitLimitFactor();
        lending = baseSettings.lending();
        fairShare = baseSettings.fairShare();
        quotas = baseSettings.quotas();
        prices = baseSettings.prices();
    }

    RoundSettings build() {
        return new RoundSettings(
                objective,
                baseSettings.horizon(),
                gapTarget,
                budget,
                maxRestarts,
                starvationLimitSeconds,
                waitLimitFactor,
                baseSettings.agingSeconds(),
                baseSettings.aggregation(),
                lending,
                fairShare,
                quotas,
                prices);
    }
}
