package dev.spur.model.round;

/** Pending reason: why a job waits. The order is the precedence: a job has the first reason that applies. */
public enum PendingReason {
    /** The owner or an operator holds the job. */
    HELD("The owner or an operator holds the job.", "Release it."),
    /** The job failed, and its next start is delayed. */
    BACKOFF("The job failed, and its next start is delayed.", "Wait; its events name the failure."),
    /** The time in notBefore has not come. */
    NOT_BEFORE("The time in `notBefore` has not come.", "Wait, or change `notBefore`."),
    /** The condition on a job in dependsOn is not met. */
    DEPENDENCY("The condition on a job in `dependsOn` is not met.", "Wait for that job, or change `dependsOn`."),
    /** The job was submitted or changed after the snapshot of the last round. */
    NOT_EVALUATED("The job was submitted or changed after the snapshot of the last round.", "Wait for the next round."),
    /** No node has an allowed pool, an accelerator type for which the throughput is known, and the required labels. */
    NO_MATCHING_NODES(
            "No node has an allowed pool, an accelerator type for which the throughput is known, and the required labels.",
            "Submit the job again with more `pools` or `acceleratorTypes`, other `nodes`, a profile or a family; or add nodes."),
    /** No allowed batch size fits the memory of an allowed device. */
    BATCH_EXCEEDS_GPU_MEMORY(
            "No allowed batch size fits the memory of an allowed device.",
            "Lower the minimum batch size, or allow accumulation."),
    /** No allowed batch size divides into equal shares on an allowed number of slots. */
    BATCH_NOT_DIVISIBLE(
            "No allowed batch size divides into equal shares on an allowed number of slots.",
            "Widen the batch range, or allow other numbers of slots."),
    /** The profile states no throughput above 0 for a configuration that fits. */
    NO_THROUGHPUT(
            "The profile states no throughput above 0 for a configuration that fits.",
            "Correct the profile, or measure it again."),
    /** No configuration fits the idle cluster. */
    UNSATISFIABLE("No configuration fits the idle cluster.", "Change the job, or add nodes."),
    /** Enough slots are free, but the requirements of the job exclude their nodes. */
    NODES_EXCLUDED(
            "Enough slots are free, but the requirements of the job exclude their nodes.",
            "Wait, or submit the job again with other `elasticity.nodes`."),
    /** The gang fits on free slots, but not within one domain of the topology that the job requires. */
    TOPOLOGY(
            "The gang fits on free slots, but not within one domain of the topology that the job requires.",
            "Wait, or prefer the domain in `elasticity.topology`."),
    /** Suitable nodes are cordoned, draining or in maintenance. */
    NODES_UNAVAILABLE("Suitable nodes are cordoned, draining or in maintenance.", "Wait, or activate the nodes."),
    /** Suitable nodes are reserved for other tenants or jobs, or kept for a job that has waited longer. */
    RESERVED(
            "Suitable nodes are reserved for other tenants or jobs, or kept for a job that has waited longer.",
            "Wait for the end of the reservation."),
    /** The quota of the tenant leaves too few slots; to a job that is not preemptible, the nominal quota. */
    QUOTA_EXCEEDED(
            "The quota of the tenant leaves too few slots; to a job that is not preemptible, the nominal quota.",
            "Raise the quota or its borrowing limit, or wait for the tenant's jobs. Where tenants share too few slots, add nodes."),
    /** The limit of the job group leaves too few slots or jobs. */
    GROUP_LIMIT(
            "The limit of the job group leaves too few slots or jobs.",
            "Raise the limit, or wait for the group's jobs."),
    /** Too few CPUs are free for aggregators. */
    INSUFFICIENT_AGGREGATION_SLOTS(
            "Too few CPUs are free for aggregators.",
            "Raise `aggregationSlots` of nodes up to their CPUs, or allow AllReduce."),
    /** Enough slots are free, but CPU or memory of their nodes is not. */
    INSUFFICIENT_HOST_RESOURCES(
            "Enough slots are free, but CPU or memory of their nodes is not.", "Lower the host demand per slot."),
    /** Data preparation: no node can hold the local part of its working set. */
    INSUFFICIENT_LOCAL_MEMORY(
            "Data preparation: no node can hold the local part of its working set.",
            "Lower `minLocalFraction`, or add memory."),
    /** Data preparation: other nodes cannot lend enough memory. */
    INSUFFICIENT_REMOTE_MEMORY(
            "Data preparation: other nodes cannot lend enough memory.",
            "Raise the lending limits in the settings, or add memory."),
    /** Enough slots are free, but not on a set of nodes that holds the gang. */
    FRAGMENTATION(
            "Enough slots are free, but not on a set of nodes that holds the gang.",
            "Allow more nodes per job or fewer slots."),
    /** Jobs of higher priority classes hold the slots. */
    LOWER_PRIORITY("Jobs of higher priority classes hold the slots.", "Raise the priority, or wait."),
    /** Holders of no higher class are pinned: not preemptible, or started recently. */
    HOLDERS_PROTECTED(
            "Holders of no higher class are not preemptible, or started less than `minRunSeconds` ago. Within a class,"
                    + " twice their restart cost counts as well.",
            "Wait."),
    /** The slots serve deadlines, or jobs that have waited beyond their limit. */
    COMMITMENTS(
            "The slots serve deadlines, or jobs that have waited beyond their limit; both precede the objective.",
            "Wait, add nodes, or request a deadline."),
    /** The limit of restarts in this round is reached. */
    RESTART_LIMIT(
            "The limit of restarts in this round is reached.", "Wait for the next round, or raise `maxRestarts`."),
    /** Jobs of lower priority hold the slots, and the preemption policy of the job is NEVER. */
    PREEMPTION_POLICY(
            "Jobs of lower priority hold the slots, and the `preemptionPolicy` of the job is `NEVER`.",
            "Wait, or set it to `PREEMPT_LOWER_PRIORITY`."),
    /** The tenant is above its fair share by past usage. */
    FAIR_SHARE("The tenant is above its fair share by past usage.", "Wait."),
    /** Each configuration costs more than the job earns in it. */
    UNPROFITABLE(
            "Each configuration costs more than the job earns in it.",
            "Raise the `revenue`, or set `objective.pricePenalty` lower."),
    /** The holders that would have to make room gain more objective value on those slots. */
    OUTRANKED(
            "The holders that would have to make room gain more objective value on those slots.",
            "Wait, add nodes, or raise the weight."),
    /** The job would fit, but to stop, shrink or move other jobs costs more than its start gains. */
    RESTART_COST("The job would fit, but to stop, shrink or move other jobs costs more than its start gains.", "Wait."),
    /** A plan that starts the job awaits approval. */
    AWAITING_APPROVAL("A plan that starts the job awaits approval.", "Approve or reject the proposal."),
    /** The plan starts the job; its devices are still being released. */
    AWAITING_RELEASE("The plan starts the job; its devices are still being released.", "Wait."),
    /** Too few slots are free, and no other reason applies. */
    CAPACITY("Too few slots are free, and no other reason applies.", "Wait, or add nodes.");

    private final String cause;
    private final String remedy;

    PendingReason(String cause, String remedy) {
        this.cause = cause;
        this.remedy = remedy;
    }

    /** Returns the cause, one sentence. "Holders" are the running jobs on the slots that the job could use. */
    public String cause() {
        return cause;
    }

    /** Returns what the owner or an operator can do. */
    public String remedy() {
        return remedy;
    }
}
