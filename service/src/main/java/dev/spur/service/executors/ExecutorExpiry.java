package dev.spur.service.executors;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.database.Versioned;
import dev.spur.service.jobs.AssignmentStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Marks executors as lost after the end of their lease and the grace period. By then they have stopped their processes.
 */
@Component
class ExecutorExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorExpiry.class);

    private final ExecutorStore executors;
    private final AssignmentStore assignments;
    private final AssignmentCompletion completion;
    private final NodeStore nodes;
    private final RoundTrigger trigger;
    /** One transaction per executor. */
    private final TransactionTemplate transaction;

    ExecutorExpiry(
            ExecutorStore executors,
            AssignmentStore assignments,
            AssignmentCompletion completion,
            NodeStore nodes,
            RoundTrigger trigger,
            TransactionTemplate transaction) {
        this.executors = executors;
        this.assignments = assignments;
        this.completion = completion;
        this.nodes = nodes;
        this.trigger = trigger;
        this.transaction = transaction;
    }

    /** Marks all overdue executors as lost. Any replica may do so, also concurrently. */
    void sweep() {
        for (String id : executors.overdue()) {
            transaction.executeWithoutResult(status -> executors
                    .lock(id)
                    .filter(executor -> executor.overdue() && !executor.lost())
                    .ifPresent(this::declare));
        }
    }

    /** Marks an executor as lost. Call this in the transaction that has locked it. */
    void declare(StoredExecutor executor) {
        String id = executor.id();
        LOG.warn("executor {} is marked as lost: its lease and grace period have expired", id);
        completion.lose(assignments.lockLive(id), "EXECUTOR_LOST", id);
        executors.lose(id, closeNode(id));
        trigger.requestRound("executor lost");
    }

    /**
     * Removes an executor: its unstarted assignments are lost, and its node is closed. Call this in the transaction
     * that has locked it.
     */
    void leave(StoredExecutor executor) {
        completion.lose(assignments.lockLive(executor.id()), "EXECUTOR_LEFT", executor.id());
        closeNode(executor.id());
        trigger.requestRound("executor left");
    }

    private @Nullable NodeState closeNode(String id) {
        Node node = nodes.lock(id).map(Versioned::value).orElse(null);
        if (node == null || node.state() == NodeState.LOST) {
            return null;
        }
        nodes.replace(node.withState(NodeState.LOST));
        return node.state();
    }
}
