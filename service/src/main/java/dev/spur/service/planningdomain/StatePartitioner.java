package dev.spur.service.planningdomain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.Notifier;
import dev.spur.service.round.history.RoundStore;
import dev.spur.service.settings.PlanningDomain;
import dev.spur.service.settings.PlanningDomainStore;
import dev.spur.service.snapshot.StateSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Extracts the part of the state that one planning domain plans. It consists of the nodes of its pools, the jobs that
 * hold slots there or are assigned to it, and its portion of common quotas. Only the default domain prepares data.
 */
@Component
public class StatePartitioner {
    private final PlanningDomainStore store;
    private final RoundStore rounds;
    private final Notifier announcements;

    StatePartitioner(PlanningDomainStore store, RoundStore rounds, Notifier announcements) {
        this.store = store;
        this.rounds = rounds;
        this.announcements = announcements;
    }

    /** Returns the part of a domain for a round. Pending jobs are assigned first, where necessary. */
    public StateSnapshot partForRound(StateSnapshot whole, String domain) {
        Map<String, String> pools = store.domainOfPools();
        Map<String, String> domainOfJob = domainOfJob(whole, pools);
        Map<String, String> changes = DomainAssignment.changes(whole.problem(), pools, domainOfJob);
        Set<String> given = changes.isEmpty() ? Set.of() : store.assign(changes, domainOfJob);
        changes.keySet().retainAll(given);
        if (changes.values().stream().anyMatch(to -> !to.equals(domain))) {
            announcements.send(NotificationChannel.CHANGED, "jobs assigned to planning domains");
        }
        domainOfJob.putAll(changes);
        return part(whole, domain, pools, domainOfJob);
    }

    /** Returns the part of the domain that plans a job; the whole state if no domain plans it. */
    public StateSnapshot partOfJob(StateSnapshot whole, String job) {
        if (store.names().isEmpty()) {
            return whole;
        }
        Map<String, String> pools = store.domainOfPools();
        Map<String, String> domainOfJob = domainOfJob(whole, pools);
        String domain = domainOfJob.get(job);
        return domain == null ? whole : part(whole, domain, pools, domainOfJob);
    }

    /** Returns the domain of each job. A job with slots belongs to the domain of its nodes, even if these are lost. */
    private Map<String, String> domainOfJob(StateSnapshot whole, Map<String, String> pools) {
        Map<String, String> domainOfJob = new HashMap<>(store.domainOfJobs());
        whole.stamps().forEach((id, stamp) -> {
            Allocation held = stamp.allocation();
            if (held != null) {
                domainOfJob.put(id, pools.getOrDefault(held.configuration().pool(), PlanningDomain.DEFAULT));
            }
        });
        return domainOfJob;
    }

    private StateSnapshot part(
            StateSnapshot whole, String domain, Map<String, String> pools, Map<String, String> domainOfJob) {
        RoundProblem problem = whole.problem();
        Predicate<Node> isOwn = node -> domain.equals(pools.getOrDefault(node.pool(), PlanningDomain.DEFAULT));
        List<Node> nodes = problem.nodes().stream().filter(isOwn).toList();
        boolean isDefault = domain.equals(PlanningDomain.DEFAULT);
        var quotas = new QuotaSplitter(problem, store.names(), domainOfJob, pools, domain);
        RoundProblem part = problem.onlyOn(nodes)
                .withJobs(of(domain, problem.jobs(), domainOfJob))
                .withTenants(quotas.tenants())
                .withGroups(quotas.groups())
                .withPreparations(isDefault ? problem.preparations() : List.of())
                .withMemory(rounds.memory(domain));
        return new StateSnapshot(
                part,
                of(domain, whole.held(), domainOfJob),
                isDefault ? awaiting(whole, domainOfJob) : Map.of(),
                whole.stamps().entrySet().stream()
                        .filter(job -> domain.equals(domainOfJob.getOrDefault(job.getKey(), PlanningDomain.DEFAULT)))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                isDefault ? whole.preparations() : List.of(),
                whole.settings(),
                new StateSnapshot.Part(
                        domain,
                        problem.nodes().stream()
                                .filter(isOwn.negate())
                                .map(Node::id)
                                .collect(Collectors.toSet())));
    }

    private static List<Job> of(String domain, List<Job> jobs, Map<String, String> domainOfJob) {
        return jobs.stream()
                .filter(job -> domain.equals(domainOfJob.getOrDefault(job.id(), PlanningDomain.DEFAULT)))
                .toList();
    }

    private static Map<String, List<String>> awaiting(StateSnapshot whole, Map<String, String> domainOfJob) {
        return whole.awaiting().entrySet().stream()
                .filter(job ->
                        PlanningDomain.DEFAULT.equals(domainOfJob.getOrDefault(job.getKey(), PlanningDomain.DEFAULT)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
