package dev.spur.solver.explain;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobRole;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShare;
import dev.spur.solver.resource.ResourceKey;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages of pending reasons. */
final class PendingReasonMessages {
    private PendingReasonMessages() {}

    /** Returns the message for a job without a candidate. */
    static String unfit(PendingReason reason, Job job, RoundProblem problem, UnavailableNodes unavailableNodes) {
        return reason == PendingReason.BATCH_NOT_DIVISIBLE
                ? BatchSizeMessages.notDivisible(job.spec())
                : cause(reason, job, problem, unavailableNodes) + BatchSizeMessages.of(job.spec());
    }

    private static String cause(
            PendingReason reason, Job job, RoundProblem problem, UnavailableNodes unavailableNodes) {
        return switch (reason) {
            case NODES_UNAVAILABLE ->
                unavailableMessage(
                        unavailableNodes.everyNodeOr(job, "Every suitable node is", "the others are"),
                        unavailableNodes.maintenanceOf(job));
            case RESERVED ->
                unavailableNodes.everyNodeOr(job, "Every suitable node is", "the others are")
                        + " reserved for others%s.".formatted(unavailableNodes.reservationOf(job));
            case NO_MATCHING_NODES ->
                unavailableNodes.haveNoDevicesFor(job)
                        ? "Every slot of the allowed nodes is disabled, or used by jobs that Spur does not schedule."
                        : unavailableNodes.lackRequirementsOf(job)
                                ? "No node of an allowed pool and type meets the requirements of the job: %s."
                                        .formatted(NodeRequirement.describe(
                                                job.spec().elasticity().requirements()))
                                : "No node has an allowed pool and an allowed accelerator type for which the throughput is known.";
            case BATCH_EXCEEDS_GPU_MEMORY ->
                "No allowed batch size from %d to %d fits the memory of any allowed device."
                        .formatted(
                                job.spec().plannedBatch().min(),
                                job.spec().plannedBatch().max());
            case NO_THROUGHPUT ->
                "The profile states a throughput of 0, or none, for each configuration that fits the idle cluster.";
            case UNSATISFIABLE -> LargestGang.unsatisfiable(problem, job.spec());
            default -> "The job would gain nothing within the planning horizon.";
        };
    }

    /**
     * Returns the message for a job with a binding constraint.
     *
     * @param higherClasses the higher priority classes that hold such slots, in words
     */
    static String bindingMessage(
            BindingConstraint binding,
            Job job,
            UnavailableNodes unavailableNodes,
            FairShare.TenantShare share,
            String higherClasses) {
        String need = need(binding, job);
        return switch (binding.reason()) {
            case QUOTA_EXCEEDED ->
                "Quotas do not allow tenant %s %s more %s."
                        .formatted(job.tenant(), number(binding.needed()), slots(binding.needed()));
            case GROUP_LIMIT -> group(binding, job);
            case INSUFFICIENT_AGGREGATION_SLOTS -> need + ".";
            case INSUFFICIENT_HOST_RESOURCES ->
                need + ", but not on nodes with enough free CPU and memory%s.".formatted(forRoles(job));
            case FRAGMENTATION -> need + ", but not in a placement that fits the whole gang.";
            case HOLDERS_PROTECTED -> need + "; the jobs that hold them cannot be preempted yet.";
            case COMMITMENTS -> need + "; the jobs that hold them meet deadlines, or have waited beyond their limit.";
            case RESERVED ->
                need + "; the others are reserved%s.".formatted(reservation(unavailableNodes.reservationOf(job)));
            case RESTART_LIMIT -> need + "; the restart limit of this round is used up.";
            case NODES_EXCLUDED ->
                need
                        + "; enough are on nodes that do not meet its requirements: %s."
                                .formatted(NodeRequirement.describe(
                                        job.spec().elasticity().requirements()));
            case TOPOLOGY -> topology(binding, job);
            case NODES_UNAVAILABLE ->
                unavailableMessage(need + "; the others are on nodes that are", unavailableNodes.maintenanceOf(job));
            case LOWER_PRIORITY -> need + "; jobs of priority %s hold them.".formatted(higherClasses);
            case PREEMPTION_POLICY ->
                need + "; jobs of lower priority hold them, and the preemption policy of the job is NEVER.";
            case FAIR_SHARE -> need + fairShare(job, share);
            case UNPROFITABLE -> "Each of its configurations costs more than it earns.";
            case OUTRANKED -> need + "; the jobs that hold them gain more objective value.";
            case RESTART_COST ->
                binding.reportedResource() == null
                        ? "It would fit, but its start costs more than it gains within the planning horizon."
                        : need + "; to stop or shrink the jobs that hold them would cost more than it gains:"
                                + " their restarts, and work that no checkpoint contains.";
            default -> need + ".";
        };
    }

    private static String need(BindingConstraint binding, Job job) {
        Double share = job.spec().elasticity().deviceShare();
        if (share != null && binding.reportedResource() instanceof ResourceKey.Slots ofDevices) {
            return "Needs %s of a device of %s, of which %s %s that much free"
                    .formatted(
                            share, ofDevices.scope(), number(binding.free()), isOne(binding.free()) ? "has" : "have");
        }
        return "Needs %s %s, of which %s %s free"
                .formatted(
                        number(binding.needed()),
                        name(binding),
                        number(binding.free()),
                        isOne(binding.free()) ? "is" : "are");
    }

    private static String forRoles(Job job) {
        List<JobRole> roles = job.spec().roles().list();
        return roles.isEmpty()
                ? ""
                : roles.stream()
                        .map(role -> "%d × %s with %s CPUs and %s GiB"
                                .formatted(role.count(), role.name(), number(role.cpus()), number(role.memoryGiB())))
                        .collect(Collectors.joining(", ", " for its slots and its roles (", ")"));
    }

    private static String topology(BindingConstraint binding, Job job) {
        TopologyRequest topology = job.spec().elasticity().topology();
        String level = topology == null ? "domain" : topology.level().toString();
        return "Needs %s %s in one %s, and fits only across several; the %s that is nearest has %s free."
                .formatted(number(binding.needed()), name(binding), level, level, number(binding.free()));
    }

    private static String reservation(String found) {
        return found.isEmpty() ? " for a job that has waited longer" : found;
    }

    private static String fairShare(Job job, FairShare.TenantShare share) {
        return String.format(
                Locale.ROOT,
                "; tenant %s has %.1f %% of the past usage among its siblings, above its fair share of %.1f %%."
                        + " The weight of its jobs is multiplied by %.2f.",
                job.tenant(),
                100 * share.used(),
                100 * share.share(),
                share.factor());
    }

    private static String unavailableMessage(String nodesAre, @Nullable String maintenance) {
        return maintenance == null
                ? nodesAre + " cordoned or draining."
                : "%s unavailable: %s.".formatted(nodesAre, maintenance);
    }

    private static String group(BindingConstraint binding, Job job) {
        return binding.reportedResource() instanceof ResourceKey.GroupJobs
                ? "Group %s already runs its maximum number of jobs."
                        .formatted(job.spec().group())
                : "The cap of group %s leaves %s %s; the job needs at least %s."
                        .formatted(
                                job.spec().group(),
                                number(binding.free()),
                                slots(binding.free()),
                                number(binding.needed()));
    }

    private static String name(BindingConstraint binding) {
        ResourceKey.Reported reportedResource = binding.reportedResource();
        if (reportedResource == null) {
            return "it";
        }
        String aggregation = reportedResource instanceof ResourceKey.Aggregation ? "aggregation " : "";
        return aggregation + slots(binding.needed()) + " of " + reportedResource.scope();
    }

    private static String slots(@Nullable Double number) {
        return isOne(number) ? "slot" : "slots";
    }

    private static boolean isOne(@Nullable Double number) {
        return number != null && number == 1;
    }

    private static String number(@Nullable Double value) {
        if (value == null) {
            return "an unknown number";
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", value.longValue())
                : String.format(Locale.ROOT, "%,.3f", value).replaceFirst("0+$", "");
    }
}
