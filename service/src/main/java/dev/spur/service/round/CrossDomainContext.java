package dev.spur.service.round;

import dev.spur.service.cluster.TenantStore;
import dev.spur.service.job.JobGroupStore;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.round.PublicationStore.PublicationJob;
import dev.spur.service.settings.PlanningDomainStore;
import dev.spur.service.snapshot.StateSnapshot;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** State that a publishing planning domain shares with the other domains. Unused without planning domains. */
@Component
class CrossDomainContext {
    private final PublicationStore rows;
    private final PlanningDomainStore domains;
    private final TenantStore tenants;
    private final JobGroupStore groups;

    CrossDomainContext(PublicationStore rows, PlanningDomainStore domains, TenantStore tenants, JobGroupStore groups) {
        this.rows = rows;
        this.domains = domains;
        this.tenants = tenants;
        this.groups = groups;
    }

    /** Quotas and caps that all domains share. */
    @Nullable
    CrossDomainLimits limits(StateSnapshot snapshot) {
        if (snapshot.domain() == null) {
            return null;
        }
        CrossDomainLimits limits = new CrossDomainLimits(rows.holdings(), tenants.all(), groups.all());
        snapshot.problem()
                .jobs()
                .forEach(job -> limits.with(job.id(), job.tenant(), job.spec().group()));
        return limits;
    }

    /** The plan for all domains: the new plan of this domain, and the published plans of the others. */
    PlanDocument whole(
            StateSnapshot snapshot, Map<String, PublicationJob> jobs, Optional<PlanDocument> before, PlanDocument own) {
        String domain = snapshot.domain();
        return domain == null
                ? own
                : new PlanMerger(snapshot, domain, jobs, before.orElseGet(() -> PlanDocument.before(own)), own)
                        .document(domains.names());
    }
}
