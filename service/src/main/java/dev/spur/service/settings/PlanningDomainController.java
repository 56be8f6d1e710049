package dev.spur.service.settings;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.resource.NamedResourceController;
import dev.spur.service.security.AccessScope;
import dev.spur.service.trigger.RoundTrigger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Planning domains. */
@RestController
@RequestMapping("/api/v1/planning-domains")
class PlanningDomainController extends NamedResourceController<PlanningDomain, PlanningDomain> {

    PlanningDomainController(
            PlanningDomainStore store, SettingsStore settings, RoundTrigger trigger, AuditTrail trail) {
        super(new Kind<>("planning domain", PlanningDomain::name, new Rules(store, settings)), store, trigger, trail);
    }

    private record Rules(PlanningDomainStore store, SettingsStore settings)
            implements NamedResourceController.Rules<PlanningDomain> {
        @Override
        public void check(PlanningDomain value, @Nullable PlanningDomain before, List<FieldError> errors) {
            if (value.name().equals(PlanningDomain.DEFAULT)) {
                errors.add(FieldError.at("/name", "is reserved for the domain of all other pools"));
            }
            if (value.pools().isEmpty()) {
                errors.add(FieldError.at("/pools", "names no pool"));
            }
            Map<String, String> domainOf = store.domainOfPools();
            for (int i = 0; i < value.pools().size(); i++) {
                String pool = value.pools().get(i);
                String domain = domainOf.get(pool);
                if (domain == null) {
                    errors.add(FieldError.at("/pools/" + i, "there is no pool " + pool));
                } else if (!domain.equals(PlanningDomain.DEFAULT) && !domain.equals(value.name())) {
                    errors.add(FieldError.at("/pools/" + i, "pool %s belongs to domain %s".formatted(pool, domain)));
                }
            }
            store.preparationsIn(value.pools())
                    .forEach(id -> errors.add(FieldError.at(
                            "/pools",
                            "preparation %s uses memory there, and data is prepared only in the domain default"
                                    .formatted(id))));
            if (settings.current().value().approval()) {
                errors.add(
                        FieldError.of("Plans require approval (settings, approval), which excludes planning domains."));
            }
        }
    }

    @GetMapping
    ResponseEntity<Page<PlanningDomain>> list(
            @RequestParam @Nullable String pool, AccessScope scope, PageRequest page) {
        return list(scope, page, domain -> ListFilter.matchesOneOf(pool, domain.pools()))
                .response();
    }

    @Override
    protected PlanningDomain view(PlanningDomain value) {
        return value;
    }
}
