package dev.spur.simulator.audit;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs whose changes while they run cost no time, in truth and as policies see them. */
final class FreeChanges {
    private FreeChanges() {}

    /** Returns the trace with free changes. First starts keep their cost. */
    static Trace of(Trace trace) {
        return new Trace(
                trace.name(), trace.jobs().stream().map(FreeChanges::of).toList(), trace.skipped());
    }

    private static TraceJob of(TraceJob job) {
        return new TraceJob(
                job.id(),
                job.arrival(),
                job.tenant(),
                job.deadline(),
                job.requestedSlots(),
                job.aloneSeconds(),
                new FreeTruth(job.truth()),
                new FreeView(job.viewModel()));
    }

    private record FreeTruth(GroundTruth base) implements GroundTruth {
        @Override
        public ProgressRate progressRate(Configuration configuration, double doneSamples) {
            return base.progressRate(configuration, doneSamples);
        }

        @Override
        public Configuration running(Configuration held, double doneSamples) {
            return base.running(held, doneSamples);
        }

        /** Returns this object as long as the base does, because replays compare identities. */
        @Override
        @SuppressWarnings("ReferenceEquality")
        public GroundTruth after(List<Configuration> ran, List<Configuration> familyRuns) {
            GroundTruth next = base.after(ran, familyRuns);
            return next == base ? this : new FreeTruth(next);
        }

        @Override
        public double startSeconds(boolean first) {
            return first ? base.startSeconds(true) : 0;
        }

        @Override
        public boolean tunesBatch() {
            return base.tunesBatch();
        }
    }

    /**
     * View of a job with free changes. It keeps the last specification, because unchanged ones must be the same object.
     */
    private static final class FreeView implements PolicyViewModel {
        private final PolicyViewModel base;
        private volatile @Nullable Edited last;

        private record Edited(JobSpec from, JobSpec to) {}

        FreeView(PolicyViewModel base) {
            this.base = base;
        }

        @Override
        public PolicyView after(RunHistory experience) {
            PolicyView view = base.after(experience);
            return new PolicyView(free(view.spec()), view.remainingSamples(), view.profilingTarget());
        }

        @SuppressWarnings("ReferenceEquality")
        private JobSpec free(JobSpec spec) {
            Edited known = last;
            if (known == null || known.from() != spec) {
                known = new Edited(
                        spec,
                        spec.edit()
                                .restartPenaltySeconds(0)
                                .changeCosts(spec.changeCosts() == null ? null : new ChangeCosts(0.0, null, null))
                                .done());
                last = known;
            }
            return known.to();
        }

        @Override
        public @Nullable String family() {
            return base.family();
        }
    }
}
