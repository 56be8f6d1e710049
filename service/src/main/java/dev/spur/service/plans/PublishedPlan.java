package dev.spur.service.plans;

import dev.spur.model.json.RoundJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The current plan in serialized form.
 *
 * @param revision its revision; 0 before the first plan
 * @param document the plan; null before the first one
 * @param plan the plan as a response body
 * @param nodes parts of the nodes that have, or had, assignments
 */
record PublishedPlan(long revision, @Nullable PlanDocument document, Body plan, Map<String, Body> nodes) {
    /** State before the first plan. */
    static final PublishedPlan NONE = new PublishedPlan(0, null, new Body(0, new byte[0]), Map.of());

    PublishedPlan {
        nodes = Map.copyOf(nodes);
    }

    /** A response body, serialized once and compressed at most once. */
    static final class Body {
        private final long revision;
        private final byte[] json;
        private byte @Nullable [] zipped;

        private Body(long revision, byte[] json) {
            this.revision = revision;
            this.json = json;
        }

        static Body of(long revision, Object content) {
            return new Body(revision, RoundJson.mapper().writeValueAsBytes(content));
        }

        /** Revision of its last change, which is its ETag. */
        long revision() {
            return revision;
        }

        /** The body; must not be modified. */
        byte[] json() {
            return json;
        }

        /** The compressed body; must not be modified. */
        synchronized byte[] zip() {
            byte[] body = zipped;
            if (body == null) {
                ByteArrayOutputStream packed = new ByteArrayOutputStream();
                try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
                    stream.write(json);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
                body = packed.toByteArray();
                zipped = body;
            }
            return body;
        }
    }

    /** The serialized form of {@code stored}; parts that equal those in {@code before} are reused. */
    static PublishedPlan of(StoredPlan stored, PublishedPlan before) {
        PlanDocument document = PlanDocument.of(stored);
        Map<String, List<NodeAssignment>> parts = NodeParts.of(document.running());
        Map<String, Body> nodes = new HashMap<>();
        stored.nodeRevisions().forEach((node, revision) -> {
            Body old = before.nodes.get(node);
            boolean unchanged = before.revision < stored.revision() && old != null && old.revision() == revision;
            nodes.put(node, unchanged ? old : part(node, revision, parts.getOrDefault(node, List.of())));
        });
        byte[] json = stored.body().getBytes(StandardCharsets.UTF_8);
        return new PublishedPlan(stored.revision(), document, new Body(stored.revision(), json), nodes);
    }

    /** The part of a node. The part of a node that never had assignments equals that before the first plan. */
    Body part(String node) {
        Body part = nodes.get(node);
        return part == null ? part(node, 0, List.of()) : part;
    }

    private static Body part(String node, long revision, List<NodeAssignment> assignments) {
        return Body.of(revision, new NodeAssignments(node, revision, assignments));
    }

    /** Revision of the last change of the part of a node, or of the plan if {@code node} is empty. */
    long revisionOf(String node) {
        Body body = node.isEmpty() ? plan : nodes.get(node);
        return body == null ? 0 : body.revision();
    }

    /** True if this is the current plan. */
    boolean is(Optional<PlanStore.Current> current) {
        return current.equals(documentIfAny()
                .map(plan -> new PlanStore.Current(plan.revision(), plan.publishedAt(), plan.explainedAt())));
    }

    Optional<PlanDocument> documentIfAny() {
        return Optional.ofNullable(document);
    }

    /**
     * The part of a plan for one node.
     *
     * @param revision revision of the plan with which this part last changed
     * @param assignments assignments of the node, by job id
     */
    record NodeAssignments(String node, long revision, List<NodeAssignment> assignments) {
        public NodeAssignments {
            assignments = List.copyOf(assignments);
        }
    }
}
