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
 * The current plan, ready to be handed out.
 *
 * @param revision its revision; 0 before the first plan
 * @param document the plan; null before the first one
 * @param plan the plan as an answer
 * @param nodes the parts of nodes that have, or have had, something to do
 */
record Edition(long revision, @Nullable PlanDocument document, Prepared plan, Map<String, Prepared> nodes) {
    /** Before the first plan. */
    static final Edition NONE = new Edition(0, null, new Prepared(0, new byte[0]), Map.of());

    Edition {
        nodes = Map.copyOf(nodes);
    }

    /** The edition of {@code stored}; parts that are as in {@code before} are taken from there. */
    static Edition of(StoredPlan stored, Edition before) {
        PlanDocument document = PlanDocument.of(stored);
        Map<String, List<Assignment>> parts = NodeParts.of(document.running());
        Map<String, Prepared> nodes = new HashMap<>();
        stored.nodeRevisions().forEach((node, revision) -> {
            Prepared old = before.nodes.get(node);
            boolean goesOn = before.revision < stored.revision() && old != null && old.revision() == revision;
            nodes.put(
                    node,
                    goesOn
                            ? old
                            : Prepared.of(
                                    revision,
                                    new NodeAssignments(node, revision, parts.getOrDefault(node, List.of()))));
        });
        byte[] json = stored.body().getBytes(StandardCharsets.UTF_8);
        return new Edition(stored.revision(), document, new Prepared(stored.revision(), json), nodes);
    }

    /** The part of a node. One that never had anything to do is as it was before the first plan. */
    Prepared part(String node) {
        Prepared part = nodes.get(node);
        return part == null ? Prepared.of(0, new NodeAssignments(node, 0, List.of())) : part;
    }

    /** True if this is the plan that is current. */
    boolean is(Optional<PlanStore.Current> current) {
        return current.equals(documentIfAny().map(plan -> new PlanStore.Current(plan.revision(), plan.publishedAt())));
    }

    Optional<PlanDocument> documentIfAny() {
        return Optional.ofNullable(document);
    }
}
