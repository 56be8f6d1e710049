package dev.spur.model.validation;

import dev.spur.model.job.Job;
import dev.spur.model.quota.ReservedDemand;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Quotas with borrowing, for each accelerator type. The claim of a tenant is what it and those below it hold, and at
 * least what it keeps for itself. A tenant uses at most its nominal quota and borrowing limit; the claims of siblings
 * add up to at most their nominal quotas unless a tenant above them has a quota, which then is their limit. What jobs
 * hold that may not be touched is always allowed.
 */
final class QuotaCheck {
    private final ProblemIndex facts;
    private final List<PlannedJob> running;
    private final List<Violation> violations;
    private final TenantTree tree;
    private final ReservedDemand need;
    private final Set<String> types = new HashSet<>();
    private final Map<String, Map<String, Long>> held = new HashMap<>();
    private final Map<String, Map<String, Long>> untouchable = new HashMap<>();

    QuotaCheck(RoundProblem problem, ProblemIndex facts, List<PlannedJob> running, List<Violation> violations) {
        this.facts = facts;
        this.running = running;
        this.violations = violations;
        this.tree = new TenantTree(problem.tenants());
        this.need = new ReservedDemand(problem);
        problem.tenants().forEach(tenant -> types.addAll(tenant.quotas().keySet()));
    }

    void run() {
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            String type = planned.allocation().configuration().acceleratorType();
            long slots = planned.allocation().configuration().slots();
            held.computeIfAbsent(job.tenant(), t -> new HashMap<>()).merge(type, slots, Long::sum);
            if (facts.mustStay(job)) {
                untouchable.computeIfAbsent(job.tenant(), t -> new HashMap<>()).merge(type, slots, Long::sum);
            }
        }
        for (String type : types) {
            tree.roots().forEach(top -> checkBelow(top, type, false));
            claimsFitNominals(tree.roots(), type, "all tenants");
        }
    }

    private void checkBelow(Tenant tenant, String type, boolean covered) {
        List<Tenant> children = tree.childrenOf(tenant.name());
        Quota quota = tenant.quotas().get(type);
        children.forEach(child -> checkBelow(child, type, covered || quota != null));
        if (quota == null) {
            if (!covered) {
                claimsFitNominals(children, type, "the tenants below " + tenant.name());
            }
            return;
        }
        long used = use(tenant, type, held);
        long most = Math.max(quota.max(), use(tenant, type, untouchable));
        if (used > most) {
            violations.add(new Violation(
                    "quotasHold",
                    tenant.name(),
                    "tenant %s uses %d of at most %d slots of %s".formatted(tenant.name(), used, most, type)));
        }
    }

    private void claimsFitNominals(List<Tenant> siblings, String type, String whom) {
        long nominal = 0;
        long claimed = 0;
        long least = 0;
        for (Tenant tenant : siblings) {
            Quota quota = tenant.quotas().get(type);
            if (quota != null) {
                nominal += quota.nominal();
                claimed += claim(tenant, type, quota, held);
                least += claim(tenant, type, quota, untouchable);
            }
        }
        if (claimed > Math.max(nominal, least)) {
            violations.add(new Violation(
                    "borrowersLeaveWhatIsNotLent",
                    whom,
                    "%s claim %d of %d slots of %s".formatted(whom, claimed, nominal, type)));
        }
    }

    private long claim(Tenant tenant, String type, Quota quota, Map<String, Map<String, Long>> slots) {
        return Math.max(need.reserved(tenant, type, quota), use(tenant, type, slots));
    }

    /** What a tenant's own jobs hold, with the claims of those below it that have a quota and the use of the others. */
    private long use(Tenant tenant, String type, Map<String, Map<String, Long>> slots) {
        long sum = slots.getOrDefault(tenant.name(), Map.of()).getOrDefault(type, 0L);
        for (Tenant child : tree.childrenOf(tenant.name())) {
            Quota quota = child.quotas().get(type);
            sum += quota == null ? use(child, type, slots) : claim(child, type, quota, slots);
        }
        return sum;
    }
}
