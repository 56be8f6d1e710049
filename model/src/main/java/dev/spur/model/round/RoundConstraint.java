package dev.spur.model.round;

import static dev.spur.model.round.PendingReason.CAPACITY;
import static dev.spur.model.round.PendingReason.COMMITMENTS;
import static dev.spur.model.round.PendingReason.FRAGMENTATION;
import static dev.spur.model.round.PendingReason.GROUP_LIMIT;
import static dev.spur.model.round.PendingReason.HOLDERS_PROTECTED;
import static dev.spur.model.round.PendingReason.INSUFFICIENT_AGGREGATION_SLOTS;
import static dev.spur.model.round.PendingReason.INSUFFICIENT_HOST_RESOURCES;
import static dev.spur.model.round.PendingReason.NODES_UNAVAILABLE;
import static dev.spur.model.round.PendingReason.QUOTA_EXCEEDED;
import static dev.spur.model.round.PendingReason.RESERVED;

import java.util.Set;

/**
 * Constraints of a round. The integer program names its rows after them, a row of the relaxation states its constraint,
 * and a violated rule of the plan validator belongs to one of them. docs/model/formulation.md states the formulas.
 */
@SuppressWarnings("ImmutableEnumChecker") // Set.of returns immutable sets
public enum RoundConstraint {
    /** A job has at most one configuration, which its specification allows. */
    CONFIGURATION(
            Set.of(),
            Set.of(
                    "everyJobIsDecidedOnce",
                    "specificationAllowsTheConfiguration",
                    "devicesSupportTheStrategy",
                    "hostGrantIsASensitivityLevel",
                    "wholeNodesWhereThePoolRequiresThem",
                    "gangIsComplete",
                    "aggregationIsComplete")),
    /** A job takes only nodes that admit it, for as long as it may be there. */
    ACCESS(
            Set.of(RESERVED, NODES_UNAVAILABLE),
            Set.of(
                    "nodesMatchPoolAndType",
                    "nodesAdmitTheJob",
                    "newAggregationIsOnAvailableNodes",
                    "jobsLeaveBeforeMaintenance",
                    "jobsLeaveBeforeReservations")),
    /** The slots of a node are held once; the pieces of a gang are on distinct nodes. */
    SLOTS(Set.of(CAPACITY, FRAGMENTATION), Set.of("noDeviceIsHeldTwice")),
    /** CPUs and memory of a host are not oversubscribed. */
    HOSTS(Set.of(INSUFFICIENT_HOST_RESOURCES), Set.of("hostsAreNotOversubscribed")),
    /** Aggregation slots of a pool are not oversubscribed. */
    AGGREGATION(Set.of(INSUFFICIENT_AGGREGATION_SLOTS), Set.of("aggregationIsNotOversubscribed")),
    /** An account stays within its limit, and borrows no slot that another one reserves. */
    QUOTAS(
            Set.of(QUOTA_EXCEEDED),
            Set.of("quotasHold", "reservedDemandIsNotBorrowed", "nonPreemptibleJobsAreWithinNominal")),
    /** A job group stays within its slots and running jobs. */
    GROUP_CAPS(Set.of(GROUP_LIMIT), Set.of("groupsStayWithinTheirCaps")),
    /** A job that may not be preempted keeps its allocation. */
    PROTECTION(Set.of(HOLDERS_PROTECTED), Set.of("protectedJobsKeepTheirAllocation")),
    /** The number of jobs that lose their allocation is limited. */
    RESTARTS(Set.of(PendingReason.RESTART_LIMIT), Set.of("restartsStayWithinTheLimit")),
    /** A job with a commitment runs in a configuration that meets it. */
    COMMITMENT(Set.of(COMMITMENTS), Set.of("deadlineStatusesHold"));

    private final Set<PendingReason> pendingReasons;
    private final Set<String> rules;

    RoundConstraint(Set<PendingReason> pendingReasons, Set<String> rules) {
        this.pendingReasons = pendingReasons;
        this.rules = rules;
    }

    /** Returns the reasons of jobs that wait because of the constraint. */
    public Set<PendingReason> pendingReasons() {
        return pendingReasons;
    }

    /** Returns the rules of the plan validator that check the constraint. */
    public Set<String> rules() {
        return rules;
    }
}
