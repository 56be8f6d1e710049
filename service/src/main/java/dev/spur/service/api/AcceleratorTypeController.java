package dev.spur.service.api;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.store.AcceleratorTypeStore;
import dev.spur.service.store.TenantStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Accelerator types. */
@RestController
@RequestMapping("/api/v1/accelerator-types")
class AcceleratorTypeController {
    private final NamedResource<AcceleratorType> types;

    AcceleratorTypeController(
            AcceleratorTypeStore store,
            TenantStore tenants,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        types = new NamedResource<>(
                new NamedResource.Kind<>("accelerator type", AcceleratorType::name, new Rules(tenants)),
                store,
                transaction,
                trigger,
                trail);
    }

    private record Rules(TenantStore tenants) implements NamedResource.Rules<AcceleratorType> {
        @Override
        public void check(AcceleratorType value, @Nullable AcceleratorType before, List<FieldError> errors) {}

        @Override
        public List<String> usersOf(AcceleratorType type) {
            return tenants.withQuotaOf(type.name()).stream()
                    .map(tenant -> "tenant %s has a quota of %s".formatted(tenant, type.name()))
                    .toList();
        }
    }

    @GetMapping
    ResponseEntity<Page<AcceleratorType>> list(AccessScope scope, PageRequest page) {
        return types.list(scope, page, any -> true).response();
    }

    @GetMapping("/{name}")
    ResponseEntity<AcceleratorType> get(@PathVariable String name) {
        return types.get(name);
    }

    @PutMapping("/{name}")
    ResponseEntity<AcceleratorType> put(
            @RequestBody AcceleratorType type,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch) {
        return types.put(type, ifMatch, ifNoneMatch);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name, @RequestHeader("If-Match") Optional<String> ifMatch) {
        return types.delete(name, ifMatch);
    }
}
