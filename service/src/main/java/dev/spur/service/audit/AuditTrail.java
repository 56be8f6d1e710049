package dev.spur.service.audit;

import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.CheckedRequest;
import dev.spur.service.contract.RequestId;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.security.Principal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.databind.JsonNode;

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
    public void changed(String kind, String object, @Nullable Object before, @Nullable Object after) {
        change(kind, object, before, after).ifPresent(store::add);
    }

    /** As above, but adds the change to other statements of the transaction, in {@code batch}. */
    public void changed(
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
        Principal who = request.caller();
        return Optional.of(new AuditStore.Change(
                who.name(),
                who.credential().name(),
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
}
