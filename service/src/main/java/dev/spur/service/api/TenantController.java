package dev.spur.service.api;

import dev.spur.model.tenant.Tenant;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.AcceleratorTypeStore;
import dev.spur.service.store.TenantStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The tree of tenants. */
@RestController
@RequestMapping("/api/v1/tenants")
class TenantController {
    private final NamedResource<Tenant> tenants;

    TenantController(
            TenantStore store,
            AcceleratorTypeStore types,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        tenants = new NamedResource<>(
                new NamedResource.Kind<>("tenant", "name", Tenant.class, Tenant::name, new Rules(store, types)),
                store,
                transaction,
                trigger,
                trail);
    }

    private record Rules(TenantStore tenants, AcceleratorTypeStore types) implements NamedResource.Rules<Tenant> {
        @Override
        public void check(Tenant tenant, @Nullable Tenant before, List<FieldError> errors) {
            for (String type : tenant.quotas().keySet()) {
                if (types.find(type).isEmpty()) {
                    errors.add(FieldError.at("/quotas/" + type, "there is no accelerator type " + type));
                }
            }
            String parent = tenant.parent();
            if (parent == null) {
                return;
            }
            List<Tenant> above = tenants.pathToTop(parent);
            if (above.isEmpty() && !parent.equals(tenant.name())) {
                errors.add(FieldError.at("/parent", "there is no tenant " + parent));
            } else if (parent.equals(tenant.name())
                    || above.stream().anyMatch(other -> other.name().equals(tenant.name()))) {
                errors.add(FieldError.at("/parent", "would put the tenant below itself"));
            }
        }
    }

    @GetMapping
    ResponseEntity<Page<Tenant>> list(ContractRequest request) {
        return tenants.list(request);
    }

    @GetMapping("/{name}")
    ResponseEntity<Tenant> get(ContractRequest request) {
        return tenants.get(request);
    }

    @PutMapping("/{name}")
    ResponseEntity<Tenant> put(ContractRequest request) {
        return tenants.put(request);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return tenants.delete(request);
    }
}
