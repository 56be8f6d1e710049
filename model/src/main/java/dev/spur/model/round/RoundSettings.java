package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.objective.ResourcePrices;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.QuotaSettings;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The planning settings of an operator.
 *
 * @param objective objective function of the plan
 * @param horizon planning horizon
 * @param gapTarget optimality gap at which a solve may stop; 0 requires a proved optimum
 * @param budget work and time limits of a solve
 * @param maxRestarts maximum number of jobs that one round may migrate, resize or preempt; null for no limit
 * @param starvationLimitSeconds wait after which a job is overdue where there is no wait limit factor
 * @param waitLimitFactor multiple of its time alone after which a job is overdue, above 0; null for the starvation
 *     limit only
 * @param agingSeconds wait after which the weight of a data preparation doubles; it triples after twice the wait, and
 *     so on
 * @param aggregation limits on the sharing of aggregators; the default if absent in a file
 * @param lending limits on memory lending; the default if absent in a file
 * @param fairShare effect of past usage; none if absent in a file
 * @param quotas settings of quotas; the default if absent in a file
 * @param prices prices of CPUs and power; none if absent in a file
 */
public record RoundSettings(
        Objective objective,
        Horizon horizon,
        double gapTarget,
        SolveBudget budget,
        @Nullable Integer maxRestarts,
        double starvationLimitSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double waitLimitFactor,
        double agingSeconds,
        AggregationSettings aggregation,
        LendingSettings lending,
        FairShareSettings fairShare,
        QuotaSettings quotas,
        ResourcePrices prices) {
    /** The settings of a new installation. */
    public static final RoundSettings DEFAULT = new RoundSettings(
            Objective.of(ObjectiveKind.COMPLETION_TIME),
            Horizon.DEFAULT,
            0.0005,
            SolveBudget.DEFAULT,
            null,
            86_400,
            2.0,
            7_200,
            AggregationSettings.DEFAULT,
            LendingSettings.DEFAULT,
            FairShareSettings.OFF,
            QuotaSettings.DEFAULT,
            ResourcePrices.NONE);

    public RoundSettings {
        Checks.atLeast("gapTarget", gapTarget, 0);
        Checks.require(maxRestarts == null || maxRestarts >= 0, "maxRestarts (%s) must be at least 0", maxRestarts);
        Checks.positive("starvationLimitSeconds", starvationLimitSeconds);
        Checks.require(
                waitLimitFactor == null || waitLimitFactor > 0,
                "waitLimitFactor (%s) must be greater than 0",
                waitLimitFactor);
        Checks.positive("agingSeconds", agingSeconds);
        aggregation = Objects.requireNonNullElse(aggregation, AggregationSettings.DEFAULT);
        lending = Objects.requireNonNullElse(lending, LendingSettings.DEFAULT);
        fairShare = Objects.requireNonNullElse(fairShare, FairShareSettings.OFF);
        quotas = Objects.requireNonNullElse(quotas, QuotaSettings.DEFAULT);
        prices = Objects.requireNonNullElse(prices, ResourcePrices.NONE);
    }

    /** Returns these settings with another objective. */
    public RoundSettings withObjective(Objective other) {
        return edit(edit -> edit.objective = other);
    }

    /** Returns these settings with another gap target and budget. */
    public RoundSettings withEffort(double otherGapTarget, SolveBudget otherBudget) {
        return edit(edit -> {
            edit.gapTarget = otherGapTarget;
            edit.budget = otherBudget;
        });
    }

    /** Returns these settings with another restart limit; null for none. */
    public RoundSettings withMaxRestarts(@Nullable Integer other) {
        return edit(edit -> edit.maxRestarts = other);
    }

    /** Returns these settings with another starvation limit, seconds. */
    public RoundSettings withStarvationLimit(double other) {
        return edit(edit -> edit.starvationLimitSeconds = other);
    }

    /** Returns these settings with another wait limit factor; null for none. */
    public RoundSettings withWaitLimitFactor(@Nullable Double other) {
        return edit(edit -> edit.waitLimitFactor = other);
    }

    /** Returns these settings with other lending limits. */
    public RoundSettings withLending(LendingSettings other) {
        return edit(edit -> edit.lending = other);
    }

    /** Returns these settings with other fair-share settings. */
    public RoundSettings withFairShare(FairShareSettings other) {
        return edit(edit -> edit.fairShare = other);
    }

    /** Returns these settings with other settings of quotas. */
    public RoundSettings withQuotas(QuotaSettings other) {
        return edit(edit -> edit.quotas = other);
    }

    /** Returns these settings with other prices. */
    public RoundSettings withPrices(ResourcePrices other) {
        return edit(edit -> edit.prices = other);
    }

    private RoundSettings edit(Consumer<RoundSettingsEdit> change) {
        RoundSettingsEdit edit = new RoundSettingsEdit(this);
        change.accept(edit);
        return edit.build();
    }
}
