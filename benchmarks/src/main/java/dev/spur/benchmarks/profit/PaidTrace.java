package dev.spur.benchmarks.profit;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Traces whose jobs state a revenue, and run on at most the requested slots. */
public final class PaidTrace {
    private PaidTrace() {}

    /**
     * Returns the trace with the revenues.
     *
     * @param revenues by id of each job
     */
    public static Trace of(Trace trace, Map<String, Double> revenues) {
        return new Trace(
                trace.name(),
                trace.jobs().stream()
                        .map(job -> job.with(job.truth(), new PaidView(job, revenues.getOrDefault(job.id(), 0.0))))
                        .toList(),
                trace.skipped());
    }

    /**
     * View of a job with a revenue. It keeps the last specification, because unchanged ones must be the same object.
     */
    private static final class PaidView implements PolicyViewModel {
        private final PolicyViewModel baseModel;
        private final int requestedSlots;
        private final double revenue;
        private volatile @Nullable PaidSpec lastSpec;

        private record PaidSpec(JobSpec fromSpec, JobSpec toSpec) {}

        PaidView(TraceJob job, double revenue) {
            this.baseModel = job.viewModel();
            this.requestedSlots = job.requestedSlots();
            this.revenue = revenue;
        }

        @Override
        public PolicyView after(RunHistory history) {
            PolicyView view = baseModel.after(history);
            return view.withSpec(paid(view.spec()));
        }

        @SuppressWarnings("ReferenceEquality")
        private JobSpec paid(JobSpec spec) {
            PaidSpec known = lastSpec;
            if (known == null || known.fromSpec() != spec) {
                int min = spec.elasticity().minSlots();
                int max = Math.max(min, Math.min(spec.elasticity().maxSlots(), requestedSlots));
                known = new PaidSpec(
                        spec,
                        spec.edit()
                                .elasticity(Elasticity.between(min, max))
                                .revenue(revenue)
                                .build());
                lastSpec = known;
            }
            return known.toSpec();
        }

        @Override
        public @Nullable String family() {
            return baseModel.family();
        }
    }
}
