package dev.spur.model.round;

import dev.spur.model.Checks;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.tenant.FairShareSettings;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the operator wants rounds to be planned.
 *
 * @param objective what a plan is worth
 * @param horizon how far ahead worth is counted
 * @param gapTarget relative gap at which a solve may stop; 0 asks for a proved optimum
 * @param budget how much a solve may spend
 * @param maxRestarts most jobs that one round may move, resize or preempt; null for no limit
 * @param starvationLimitSeconds wait after which a job goes before every job that has waited less
 * @param agingSeconds wait after which a job counts twice, three times after twice the wait, and so on
 * @param aggregation how far jobs share aggregators; files without it have the default
 * @param lending how far nodes lend memory; files without it have the default
 * @param fairShare how far the past counts; in files without it, it does not
 */
public record RoundSettings(
        Objective objective,
        Horizon horizon,
        double gapTarget,
        SolveBudget budget,
        @Nullable Integer maxRestarts,
        double starvationLimitSeconds,
        double agingSeconds,
        AggregationSettings aggregation,
        LendingSettings lending,
        FairShareSettings fairShare) {
    /** The settings of a new installation. */
    public static final RoundSettings DEFAULT = new RoundSettings(
            Objective.of(ObjectiveKind.COMPLETION_TIME),
            Horizon.DEFAULT,
            0.0005,
            SolveBudget.DEFAULT,
            null,
            86_400,
            7_200,
            AggregationSettings.DEFAULT,
            LendingSettings.DEFAULT,
            FairShareSettings.OFF);

    public RoundSettings {
        Checks.atLeast("gapTarget", gapTarget, 0);
        Checks.require(maxRestarts == null || maxRestarts >= 0, "maxRestarts (%s) must be at least 0", maxRestarts);
        Checks.positive("starvationLimitSeconds", starvationLimitSeconds);
        Checks.positive("agingSeconds", agingSeconds);
        aggregation = Objects.requireNonNullElse(aggregation, AggregationSettings.DEFAULT);
        lending = Objects.requireNonNullElse(lending, LendingSettings.DEFAULT);
        fairShare = Objects.requireNonNullElse(fairShare, FairShareSettings.OFF);
    }

    /** These settings with another objective. */
    public RoundSettings withObjective(Objective other) {
        return edited(edit -> edit.objective = other);
    }

    /** These settings with another gap target and budget. */
    public RoundSettings withEffort(double otherGapTarget, SolveBudget otherBudget) {
        return edited(edit -> {
            edit.gapTarget = otherGapTarget;
            edit.budget = otherBudget;
        });
    }

    /** These settings with another limit of restarts; null for none. */
    public RoundSettings withMaxRestarts(@Nullable Integer other) {
        return edited(edit -> edit.maxRestarts = other);
    }

    /** These settings with another patience, seconds. */
    public RoundSettings withPatience(double other) {
        return edited(edit -> edit.starvationLimitSeconds = other);
    }

    /** These settings with other limits of lending. */
    public RoundSettings withLending(LendingSettings other) {
        return edited(edit -> edit.lending = other);
    }

    /** These settings with another weight of the past. */
    public RoundSettings withFairShare(FairShareSettings other) {
        return edited(edit -> edit.fairShare = other);
    }

    private RoundSettings edited(Consumer<RoundSettingsEdit> change) {
        RoundSettingsEdit edit = new RoundSettingsEdit(this);
        change.accept(edit);
        return edit.done();
    }
}
