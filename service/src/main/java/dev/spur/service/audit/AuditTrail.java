package dev.spur.service.audit;

import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.security.Principal;
import dev.spur.service.store.AuditStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.databind.JsonNode;

/**
 * Puts changes down. Who asks is known from the request that the thread serves; what the service does of its own accord
 * is told by the events of jobs and by rounds, and is not put down here.
 */
@Component
public class AuditTrail {
    private final AuditStore store;

    AuditTrail(AuditStore store) {
        this.store = store;
    }

    /**
     * Puts a change down; belongs into the transaction that makes it. Nothing is put down if nothing differs.
     *
     * @param kind of what was changed, such as {@code node}
     * @param object its id or name
     * @param before what it was; null if it is new
     * @param after what it is; null if it is gone
     * @throws IllegalStateException if there is no transaction, since the change might then stay without its row
     */
    public void changed(String kind, String object, @Nullable Object before, @Nullable Object after) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
            return;
        }
        ContractRequest request = ContractRequest.of(attributes.getRequest());
        if (request == null || !request.operation().audited()) {
            return;
        }
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("a change of %s %s outside of a transaction".formatted(kind, object));
        }
        Map<String, JsonNode[]> change = Differences.between(tree(before), tree(after));
        if (!change.isEmpty() || before == null || after == null) {
            Principal who = request.principal();
            store.add(new AuditStore.Change(
                    who.name(),
                    who.credential().name(),
                    request.address(),
                    request.requestId(),
                    request.operation().id(),
                    kind,
                    object,
                    RoundJson.mapper().writeValueAsString(change)));
        }
    }

    private static @Nullable JsonNode tree(@Nullable Object value) {
        return value == null ? null : RoundJson.mapper().valueToTree(value);
    }
}
