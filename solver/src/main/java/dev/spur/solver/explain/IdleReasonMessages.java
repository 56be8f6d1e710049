package dev.spur.solver.explain;

import dev.spur.model.round.IdleReason;

/** Sentences about jobs that do not use idle slots. */
final class IdleReasonMessages {
    private IdleReasonMessages() {}

    /** Returns the sentence after "3 jobs:". */
    static String of(IdleReason reason) {
        return switch (reason) {
            case MAX_SLOTS -> "maxSlots is reached.";
            case UNKNOWN_SPEED -> "the speed on these slots is unknown until steps are reported there.";
            case NO_CONFIGURATION -> "no allowed configuration, because of batch size, memory or profile.";
            case QUOTA -> "the quota leaves too few slots.";
            case GROUP_LIMIT -> "the limit of the job group is reached.";
            case AGGREGATION -> "too few aggregation slots are free.";
            case HOST_RESOURCES -> "CPU or memory of the nodes do not suffice.";
            case GANG_SIZE -> "the next larger gang does not fit on the idle slots.";
            case PROTECTED -> "not preemptible, or started or changed recently.";
            case RESTART_COST -> "a restart costs more than the slots gain.";
            case RESTART_LIMIT -> "the limit of restarts in a round is reached.";
            case NO_GAIN -> "more slots of this type have no higher utility.";
            case OPTIMALITY_GAP -> "the plan leaves the slots idle within its optimality gap.";
            case NODES_EXCLUDED -> "their requirements exclude the nodes.";
            case TOPOLOGY -> "the next larger gang fits only across the domains of the topology that they require.";
            case NODE_UNAVAILABLE, RESERVED, NO_JOB, QUARANTINED, NO_PROCESS, RELEASED -> reason.cause();
        };
    }
}
