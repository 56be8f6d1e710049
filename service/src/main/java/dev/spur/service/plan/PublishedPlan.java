package dev.spur.service.plan;

import dev.spur.service.store.PlanStore;
import dev.spur.service.store.StoredPlan;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The current plan in serialized form.
 *
 * @param revision its revision; 0 before the first plan
 * @param document the plan; null before the first one
 * @param plan the plan as a response body
 * @param nodes parts of the nodes that have, or had, assignments
 */
record PublishedPlan(long revision, @Nullable PlanDocument document, EncodedBody plan, Map<String, EncodedBody> nodes) {
    /** State before the first plan. */
    static final PublishedPlan NONE = new PublishedPlan(0, null, new EncodedBody(0, new byte[0]), Map.of());

    PublishedPlan {
        nodes = Map.copyOf(nodes);
    }

    /** The serialized form of {@code stored}; parts that equal those in {@code before} are reused. */
    static PublishedPlan of(StoredPlan stored, PublishedPlan before) {
        PlanDocument document = PlanDocument.of(stored);
        Map<String, List<NodeAssignment>> parts = NodeParts.of(document.running());
        Map<String, EncodedBody> nodes = new HashMap<>();
        stored.nodeRevisions().forEach((node, revision) -> {
            EncodedBody old = before.nodes.get(node);
            boolean goesOn = before.revision < stored.revision() && old != null && old.revision() == revision;
            nodes.put(
                    node,
                    goesOn
                            ? old
                            : EncodedBody.of(
                                    revision,
                                    new NodeAssignments(node, revision, parts.getOrDefault(node, List.of()))));
        });
        byte[] json = stored.body().getBytes(StandardCharsets.UTF_8);
        return new PublishedPlan(stored.revision(), document, new EncodedBody(stored.revision(), json), nodes);
    }

    /** The part of a node. The part of a node that never had assignments equals that before the first plan. */
    EncodedBody part(String node) {
        EncodedBody part = nodes.get(node);
        return part == null ? EncodedBody.of(0, new NodeAssignments(node, 0, List.of())) : part;
    }

    /** True if this is the current plan. */
    boolean is(Optional<PlanStore.Current> current) {
        return current.equals(documentIfAny().map(plan -> new PlanStore.Current(plan.revision(), plan.publishedAt())));
    }

    Optional<PlanDocument> documentIfAny() {
        return Optional.ofNullable(document);
    }
}
