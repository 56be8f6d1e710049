package dev.spur.service.cluster;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Accelerator types. */
@RestController
@RequestMapping("/api/v1/accelerator-types")
class AcceleratorTypeController extends NamedResourceController<AcceleratorType, AcceleratorType> {

    AcceleratorTypeController(AcceleratorTypeStore store, TenantStore tenants, RoundTrigger trigger, AuditTrail trail) {
        super(new Kind<>("accelerator type", AcceleratorType::name, new Rules(tenants)), store, trigger, trail);
    }

    private record Rules(TenantStore tenants) implements NamedResourceController.Rules<AcceleratorType> {
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
        return list(scope, page, any -> true).response();
    }

    @Override
    protected AcceleratorType view(AcceleratorType value) {
        return value;
    }
}
