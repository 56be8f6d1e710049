package dev.spur.service.cluster;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.tenant.FairShare;
import dev.spur.model.tenant.FairShareSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The tree of tenants. */
@RestController
@RequestMapping("/api/v1/tenants")
class TenantController extends NamedResourceController<Tenant, TenantController.TenantView> {
    private final TenantStore store;
    private final SettingsStore settings;
    private final PastUsageStore usage;

    TenantController(
            TenantStore store,
            AcceleratorTypeStore types,
            SettingsStore settings,
            PastUsageStore usage,
            RoundTrigger trigger,
            AuditTrail trail) {
        super(new Kind<>("tenant", Tenant::name, new Rules(store, types)), store, trigger, trail);
        this.store = store;
        this.settings = settings;
        this.usage = usage;
    }

    private record Rules(TenantStore tenants, AcceleratorTypeStore types)
            implements NamedResourceController.Rules<Tenant> {
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
                errors.add(FieldError.at("/parent", "would make the tenant its own ancestor"));
            }
        }
    }

    @GetMapping
    ResponseEntity<Page<TenantView>> list(@RequestParam @Nullable String parent, AccessScope scope, PageRequest page) {
        FairShare fairShare = fairShare();
        return list(scope, page, tenant -> ListFilter.matches(parent, tenant.parent()))
                .map(tenant -> TenantView.of(tenant, fairShare))
                .response();
    }

    @Override
    protected TenantView view(Tenant tenant) {
        return TenantView.of(tenant, fairShare());
    }

    /** Past usage changes with time, and so does the ETag where past usage counts. */
    @Override
    protected EntityTag tag(long version, TenantView view) {
        TenantView.PastUsage past = view.pastUsage();
        return past == null
                ? EntityTag.of(version)
                : EntityTag.of(
                        version, Double.doubleToLongBits(past.slotSeconds()), Double.doubleToLongBits(past.factor()));
    }

    private @Nullable FairShare fairShare() {
        FairShareSettings counts = settings.current().value().planning().fairShare();
        return counts.isEnabled() ? new FairShare(store.all(), usage.all(), counts) : null;
    }

    /** A tenant as the API returns it. Members as in the contract. */
    record TenantView(
            @JsonUnwrapped Tenant tenant, @Nullable PastUsage pastUsage) {
        /** Past usage of a tenant. Members as in the contract. */
        record PastUsage(double slotSeconds, double share, double used, double factor) {}

        static TenantView of(Tenant tenant, @Nullable FairShare fairShare) {
            return new TenantView(tenant, fairShare == null ? null : past(tenant.name(), fairShare));
        }

        private static PastUsage past(String tenant, FairShare fairShare) {
            FairShare.TenantShare share = fairShare.of(tenant);
            return new PastUsage(fairShare.slotSeconds(tenant), share.share(), share.used(), share.factor());
        }
    }
}
