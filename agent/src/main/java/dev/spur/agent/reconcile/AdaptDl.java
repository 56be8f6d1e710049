package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import java.net.URI;
import java.util.Map;

/** Environment variables of AdaptDL training code. */
public final class AdaptDl {
    /** Checkpoint folder; AdaptDL requires that it exists. */
    public static final String CHECKPOINTS = "ADAPTDL_CHECKPOINT_PATH";
    /** A command whose environment contains this variable requests all variables of AdaptDL. */
    static final String ASKS = "ADAPTDL_SUPERVISOR_URL";

    private AdaptDl() {}

    /** Adds the variables to {@code set}; no effect if the service provides no key. */
    static void add(Map<String, String> set, Assignment assignment, URI service) {
        String key = assignment.key();
        if (key == null) {
            return;
        }
        set.put(ASKS, service.resolve("/compat/adaptdl").toString());
        set.put("ADAPTDL_JOB_ID", key + "/" + assignment.jobId());
        // AdaptDL uses it in checkpoint names and to query the members of the gang
        set.put("ADAPTDL_NUM_RESTARTS", Long.toString(assignment.generation()));
        copy(set, "RANK", "ADAPTDL_REPLICA_RANK");
        copy(set, "WORLD_SIZE", "ADAPTDL_NUM_REPLICAS");
        copy(set, "NNODES", "ADAPTDL_NUM_NODES");
        copy(set, "MASTER_PORT", "ADAPTDL_MASTER_PORT");
        copy(set, "SPUR_CHECKPOINT_DIR", CHECKPOINTS);
        // required by AdaptDL; 0.0.0 disables its version check
        set.put("ADAPTDL_SCHED_VERSION", "0.0.0");
    }

    private static void copy(Map<String, String> set, String from, String to) {
        String value = set.get(from);
        if (value != null) {
            set.put(to, value);
        }
    }
}
