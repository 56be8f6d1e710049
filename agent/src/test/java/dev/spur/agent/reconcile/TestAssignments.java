package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assignments for tests. */
final class TestAssignments {
    static final String JOB = "8f14e45f-ceea-467f-9a36-dedd4bea2543";

    private TestAssignments() {}

    /** The assignment of a generation of the one job, on these devices. */
    static Assignment order(
            long generation, Assignment.Desired desired, boolean mayStart, AssignmentPhase state, String... devices) {
        return order(JOB, generation, desired, mayStart, state, List.of(devices));
    }

    /** The assignment, of ranks 2 and 3, with a change of the ranks by which all of its ranks join. */
    static Assignment joining(AssignmentPhase state, int number) {
        Assignment order = order(5, Assignment.Desired.RUN, true, state, "GPU-a", "GPU-b");
        var change = new Assignment.Rescale(
                number,
                Arrays.asList(0, 1, null, null),
                new Assignment.Master("left", "10.0.0.1", 20019),
                true,
                false,
                false);
        return with(order, order.command(), change);
    }

    /** The assignment with another command and change of ranks. */
    static Assignment with(Assignment a, Assignment.Command command, Assignment.@Nullable Rescale change) {
        return with(a, command, change, null);
    }

    /** The assignment with a share of its device. */
    static Assignment withShare(Assignment a, double share) {
        return with(a, a.command(), null, share);
    }

    private static Assignment with(
            Assignment a,
            Assignment.Command command,
            Assignment.@Nullable Rescale change,
            @Nullable Double deviceShare) {
        return new Assignment(
                a.assignmentId(),
                a.jobId(),
                a.tenant(),
                a.generation(),
                a.desired(),
                a.mayStart(),
                a.state(),
                a.seq(),
                a.devices(),
                deviceShare,
                a.rankOffset(),
                a.worldSize(),
                a.nodeRank(),
                a.nodes(),
                a.master(),
                a.batch(),
                command,
                a.checkpoint(),
                change,
                a.waitFor(),
                a.graceSeconds(),
                a.reason(),
                a.host(),
                a.roles(),
                a.aggregators(),
                a.key(),
                a.followLog(),
                a.warmUp());
    }

    static Assignment order(
            String job,
            long generation,
            Assignment.Desired desired,
            boolean mayStart,
            AssignmentPhase state,
            List<String> devices) {
        return new Assignment(
                job + "." + generation,
                job,
                "vision",
                generation,
                desired,
                mayStart,
                state,
                0,
                devices,
                null,
                2,
                4,
                1,
                List.of("left", "right"),
                new Assignment.Master("left", "10.0.0.1", 20007),
                new Assignment.Batch(16, 1, 128),
                new Assignment.Command(
                        "python3",
                        List.of("train.py", "--port=${MASTER_PORT}", "${HOME}", "$RANK"),
                        Map.of("OUT", "${SPUR_CHECKPOINT_DIR}/out"),
                        null,
                        Assignment.Launch.PER_DEVICE,
                        Map.of()),
                new Assignment.Checkpoint(null, "gen-00000005", 4L),
                null,
                List.of(),
                30,
                desired == Assignment.Desired.STOP ? "SUPERSEDED" : null,
                new Assignment.HostShare(4, 16),
                List.of(),
                List.of(),
                "5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42",
                false,
                false);
    }
}
