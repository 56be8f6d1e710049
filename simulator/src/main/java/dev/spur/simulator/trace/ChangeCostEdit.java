package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.JobSpec;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Other costs of the changes of all jobs of a trace, in truth and as policies see them. First starts keep their cost.
 */
public final class ChangeCostEdit {
    private final double restartFactor;
    private final UnaryOperator<JobSpec> edit;

    private ChangeCostEdit(double restartFactor, UnaryOperator<JobSpec> edit) {
        this.restartFactor = restartFactor;
        this.edit = edit;
    }

    /** Returns the trace with changes that cost no time. */
    public static Trace free(Trace trace) {
        return new ChangeCostEdit(
                        0,
                        spec -> spec.edit()
                                .restartPenaltySeconds(0)
                                .changeCosts(spec.changeCosts() == null ? null : new ChangeCosts(0.0, null, null))
                                .build())
                .of(trace);
    }

    /**
     * Returns the trace with jobs that change their slots while they run.
     *
     * @param rescaleShare stall of another number of slots, as a share of the restart penalty of the job, at least 0;
     *     null to keep what the trace states
     * @param migrateShare stall of a move to other slots, likewise
     */
    public static Trace whileRunning(Trace trace, @Nullable Double rescaleShare, @Nullable Double migrateShare) {
        requireShare("rescaleShare", rescaleShare);
        requireShare("migrateShare", migrateShare);
        ChangeCosts none = new ChangeCosts(null, null, null);
        return new ChangeCostEdit(1, spec -> {
                    ChangeCosts stated = spec.changeCosts() == null ? none : spec.changeCosts();
                    double restart = spec.restartPenaltySeconds();
                    return spec.edit()
                            .changeCosts(new ChangeCosts(
                                    stated.reconfigureSeconds(),
                                    rescaleShare == null
                                            ? stated.rescaleSeconds()
                                            : Double.valueOf(rescaleShare * restart),
                                    migrateShare == null
                                            ? stated.migrateSeconds()
                                            : Double.valueOf(migrateShare * restart)))
                            .build();
                })
                .of(trace);
    }

    private static void requireShare(String name, @Nullable Double share) {
        if (share != null) {
            Checks.atLeast(name, share, 0);
        }
    }

    private Trace of(Trace trace) {
        return new Trace(
                trace.name(),
                trace.jobs().stream()
                        .map(job -> job.with(
                                new EditedTruth(job.truth(), restartFactor), new EditedView(job.viewModel(), edit)))
                        .toList(),
                trace.skipped());
    }

    /** Stalls of changes without a restart are those of the edited specification. */
    private record EditedTruth(GroundTruth baseTruth, double restartFactor) implements GroundTruth {
        @Override
        public ProgressRate progressRate(Configuration configuration, double doneSamples) {
            return baseTruth.progressRate(configuration, doneSamples);
        }

        @Override
        public Configuration running(Configuration heldConfiguration, double doneSamples) {
            return baseTruth.running(heldConfiguration, doneSamples);
        }

        /** Returns this object as long as the base does, because replays compare identities. */
        @Override
        @SuppressWarnings("ReferenceEquality")
        public GroundTruth after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
            GroundTruth next = baseTruth.after(pastConfigurations, familyConfigurations);
            return next == baseTruth ? this : new EditedTruth(next, restartFactor);
        }

        @Override
        public double startSeconds(boolean first) {
            return baseTruth.startSeconds(first) * (first ? 1 : restartFactor);
        }

        @Override
        public boolean tunesBatch() {
            return baseTruth.tunesBatch();
        }
    }

    /**
     * View of a job with other costs. It keeps the last specification, because unchanged ones must be the same object.
     */
    private static final class EditedView implements PolicyViewModel {
        private final PolicyViewModel baseModel;
        private final UnaryOperator<JobSpec> edit;
        private volatile @Nullable Edited lastEdited;

        private record Edited(JobSpec fromSpec, JobSpec toSpec) {}

        EditedView(PolicyViewModel baseModel, UnaryOperator<JobSpec> edit) {
            this.baseModel = baseModel;
            this.edit = edit;
        }

        @Override
        public PolicyView after(RunHistory history) {
            PolicyView view = baseModel.after(history);
            return new PolicyView(edit(view.spec()), view.remainingSamples(), view.profilingTarget());
        }

        @SuppressWarnings("ReferenceEquality")
        private JobSpec edit(JobSpec spec) {
            Edited known = lastEdited;
            if (known == null || known.fromSpec() != spec) {
                known = new Edited(spec, edit.apply(spec));
                lastEdited = known;
            }
            return known.toSpec();
        }

        @Override
        public @Nullable String family() {
            return baseModel.family();
        }
    }
}
