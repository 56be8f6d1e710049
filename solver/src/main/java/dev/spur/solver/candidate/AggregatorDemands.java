package dev.spur.solver.candidate;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.solver.aggregation.AggregatorDemand;
import java.util.IdentityHashMap;

/** Effective bandwidths of the candidates of one job. */
final class AggregatorDemands {
    private final JobSpec spec;
    private final AggregationSettings settings;
    private final boolean shares;
    private final IdentityHashMap<Candidate, Long> known = new IdentityHashMap<>();

    AggregatorDemands(JobSpec spec, AggregationSettings settings) {
        this.spec = spec;
        this.settings = settings;
        this.shares = spec.synchronization().gradientBytes() != null && settings.allowsSharing();
    }

    /** Returns whether the demand of a configuration may depend on its batch size. */
    boolean dependOnBatch() {
        return shares;
    }

    /** Returns the host demand of each slot of {@code candidate}. */
    HostDemand host(Candidate candidate) {
        return spec.hostIn(candidate.configuration());
    }

    /** Returns the effective bandwidth of {@code candidate}, thousandths. */
    long cpus(Candidate candidate) {
        return shares
                ? known.computeIfAbsent(
                        candidate,
                        own -> AggregatorDemand.of(spec, own.configuration(), settings)
                                .cpus())
                : candidate.configuration().aggregationThousandths();
    }
}
