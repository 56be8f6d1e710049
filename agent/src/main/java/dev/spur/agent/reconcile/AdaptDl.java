package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import java.net.URI;
import java.util.Map;

/** What training code for AdaptDL looks for in its environment. */
public final class AdaptDl {
    /** Folder of checkpoints, which AdaptDL takes to be there. */
    public static final String CHECKPOINTS = "ADAPTDL_CHECKPOINT_PATH";
    /** A command whose environment names this variable asks for all of them. */
    static final String ASKS = "ADAPTDL_SUPERVISOR_URL";

    private AdaptDl() {}

    /** Adds them to the variables of a process. Nothing is added where the service gives no key. */
    static void add(Map<String, String> set, Assignment assignment, URI service) {
        String key = assignment.key();
        if (key == null) {
            return;
        }
        set.put(ASKS, service.resolve("/compat/adaptdl").toString());
        set.put("ADAPTDL_JOB_ID", key + "/" + assignment.jobId());
        // AdaptDL names checkpoints after it, and asks for the members of the gang by it
        set.put("ADAPTDL_NUM_RESTARTS", Long.toString(assignment.generation()));
        copy(set, "RANK", "ADAPTDL_REPLICA_RANK");
        copy(set, "WORLD_SIZE", "ADAPTDL_NUM_REPLICAS");
        copy(set, "NNODES", "ADAPTDL_NUM_NODES");
        copy(set, "MASTER_PORT", "ADAPTDL_MASTER_PORT");
        copy(set, "SPUR_CHECKPOINT_DIR", CHECKPOINTS);
        // AdaptDL wants one, and takes 0.0.0 for a version to which it does not compare its own
        set.put("ADAPTDL_SCHED_VERSION", "0.0.0");
    }

    private static void copy(Map<String, String> set, String from, String to) {
        String value = set.get(from);
        if (value != null) {
            set.put(to, value);
        }
    }
}
