package dev.spur.service.executor;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.AssignmentStore;
import dev.spur.service.store.ExecutorStore;
import dev.spur.service.store.NodeStore;
import dev.spur.service.store.StoredExecutor;
import dev.spur.service.store.Versioned;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes executors for lost whose lease and grace have ended: by then they have stopped what they ran. */
@Component
class ExecutorExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorExpiry.class);

    private final ExecutorStore executors;
    private final AssignmentStore assignments;
    private final AssignmentLoss lost;
    private final NodeStore nodes;
    private final RoundTrigger trigger;
    private final TransactionTemplate transaction;

    ExecutorExpiry(
            ExecutorStore executors,
            AssignmentStore assignments,
            AssignmentLoss lost,
            NodeStore nodes,
            RoundTrigger trigger,
            TransactionTemplate transaction) {
        this.executors = executors;
        this.assignments = assignments;
        this.lost = lost;
        this.nodes = nodes;
        this.trigger = trigger;
        this.transaction = transaction;
    }

    /** Takes every executor for lost that is overdue. Any replica may do so, and several at a time. */
    void sweep() {
        for (String id : executors.overdue()) {
            transaction.executeWithoutResult(status -> executors
                    .lock(id)
                    .filter(executor -> executor.overdue() && !executor.lost())
                    .ifPresent(this::declare));
        }
    }

    /** Takes an executor for lost. Belongs into the transaction that has locked it. */
    void declare(StoredExecutor executor) {
        String id = executor.id();
        LOG.warn("executor {} was silent for too long and is taken for lost", id);
        lost.lose(assignments.lockLive(id), "EXECUTOR_LOST", id);
        executors.lose(id, closeNode(id));
        trigger.changed("executor lost");
    }

    /** Gives up what an executor has not begun, and its node. Belongs into the transaction that has locked it. */
    void leave(StoredExecutor executor) {
        lost.lose(assignments.lockLive(executor.id()), "EXECUTOR_LEFT", executor.id());
        closeNode(executor.id());
        trigger.changed("executor left");
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
