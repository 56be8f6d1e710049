package dev.spur.service.web;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.CheckedRequest;
import dev.spur.service.web.contract.RequestId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Records changes with the caller of the request that the current thread serves. Changes by the service itself are not
 * recorded here, but in job events and rounds.
 */
@Component
public class AuditTrail {
    private final AuditStore store;

    AuditTrail(AuditStore store) {
        this.store = store;
    }

    /**
     * Records a change; must run in the transaction that makes it. Records nothing if nothing differs.
     *
     * @param kind kind of the object, such as {@code node}
     * @param object its id or name
     * @param before former value; null if the object is new
     * @param after new value; null if the object was deleted
     * @throws IllegalStateException if there is no transaction, because the change might then be committed without its
     *     row
     */
    public void recordChange(String kind, String object, @Nullable Object before, @Nullable Object after) {
        change(kind, object, before, after).ifPresent(store::add);
    }

    /** As above, but adds the change to other statements of the transaction, in {@code batch}. */
    public void recordChange(
            StatementBatch batch, String kind, String object, @Nullable Object before, @Nullable Object after) {
        change(kind, object, before, after).ifPresent(change -> AuditStore.add(batch, change));
    }

    private static Optional<AuditStore.Change> change(
            String kind, String object, @Nullable Object before, @Nullable Object after) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
            return Optional.empty();
        }
        CheckedRequest request = CheckedRequest.of(attributes.getRequest());
        if (request == null || !request.operation().audited()) {
            return Optional.empty();
        }
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("change of %s %s is outside of a transaction".formatted(kind, object));
        }
        Map<String, JsonNode[]> change = Differences.between(tree(before), tree(after));
        if (change.isEmpty() && before != null && after != null) {
            return Optional.empty();
        }
        Principal caller = request.caller();
        return Optional.of(new AuditStore.Change(
                caller.name(),
                caller.credential().name(),
                attributes.getRequest().getRemoteAddr(),
                RequestId.of(attributes.getRequest()),
                request.operation().id(),
                kind,
                object,
                RoundJson.mapper().writeValueAsString(change)));
    }

    private static @Nullable JsonNode tree(@Nullable Object value) {
        return value == null ? null : RoundJson.mapper().valueToTree(value);
    }

    /**
     * Members in which two JSON trees differ, by JSON pointer, with the old and the new value. Long values are
     * truncated, and secret values are omitted.
     */
    static final class Differences {
        private static final int MAX_MEMBERS = 50;
        private static final int LONGEST = 200;
        private static final JsonNode NOTHING = JsonNodeFactory.instance.nullNode();
        private static final JsonNode HIDDEN = JsonNodeFactory.instance.stringNode("(hidden)");
        /** Environment variables of commands, which often contain passwords. */
        private static final List<String> SECRETS = List.of("/command/env/", "/nextCommand/env/");

        private final Map<String, JsonNode[]> found = new LinkedHashMap<>();

        private Differences() {}

        /**
         * Returns the differences. A null tree has no members; a value that is not an object is a member without a
         * name.
         */
        static Map<String, JsonNode[]> between(@Nullable JsonNode before, @Nullable JsonNode after) {
            Differences differences = new Differences();
            differences.compare("", before == null ? NOTHING : before, after == null ? NOTHING : after);
            return differences.found;
        }

        private void compare(String pointer, JsonNode before, JsonNode after) {
            if (before.equals(after) || found.size() >= MAX_MEMBERS) {
                return;
            }
            if (!before.isObject() && !after.isObject()) {
                found.put(pointer, new JsonNode[] {display(pointer, before), display(pointer, after)});
                return;
            }
            TreeSet<String> names = new TreeSet<>(before.propertyNames());
            names.addAll(after.propertyNames());
            for (String name : names) {
                compare(
                        pointer + "/" + name.replace("~", "~0").replace("/", "~1"),
                        member(before, name),
                        member(after, name));
            }
        }

        private static JsonNode member(JsonNode of, String name) {
            JsonNode member = of.get(name);
            return member == null ? NOTHING : member;
        }

        private static JsonNode display(String pointer, JsonNode value) {
            if (value.isNull()) {
                return value;
            }
            if (SECRETS.stream().anyMatch(pointer::contains)) {
                return HIDDEN;
            }
            if (!value.isString() && !value.isContainer()) {
                return value;
            }
            String text = value.isString() ? value.asString() : value.toString();
            return text.length() <= LONGEST
                    ? value
                    : JsonNodeFactory.instance.stringNode(
                            "%s… (%d characters)".formatted(text.substring(0, LONGEST), text.length()));
        }
    }
}
