package dev.spur.service.api;

import dev.spur.model.job.JobGroup;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobGroupStore;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Job groups, whose jobs share a cap. */
@RestController
@RequestMapping("/api/v1/groups")
class JobGroupController extends NamedResourceController<JobGroup, JobGroup> {
    private final JobGroupStore store;

    JobGroupController(JobGroupStore store, TenantStore tenants, RoundTrigger trigger, AuditTrail trail) {
        super(new Kind<>("group", JobGroup::name, new Rules(store, tenants)), store, trigger, trail);
        this.store = store;
    }

    private record Rules(JobGroupStore groups, TenantStore tenants) implements NamedResourceController.Rules<JobGroup> {
        @Override
        public void check(JobGroup group, @Nullable JobGroup before, List<FieldError> errors) {
            boolean sameTenant = before != null && group.tenant().equals(before.tenant());
            if (!sameTenant && !tenants.keep(group.tenant())) {
                errors.add(FieldError.at("/tenant", "there is no tenant " + group.tenant()));
            }
        }

        @Override
        public List<String> usersOf(JobGroup group) {
            return groups.activeJobsOf(group.name()).stream()
                    .map(job -> "job %s refers to it".formatted(job))
                    .toList();
        }
    }

    @GetMapping
    ResponseEntity<Page<JobGroup>> list(@RequestParam @Nullable String tenant, AccessScope scope, PageRequest page) {
        return list(scope, page, group -> ListFilter.matches(tenant, group.tenant()))
                .response();
    }

    /** A tenant out of scope is treated as missing, and so is its group. */
    @Override
    protected void requireInScope(JobGroup group, AccessScope scope) {
        if (!scope.covers(group.tenant())) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE, FieldError.at("/tenant", "there is no tenant " + group.tenant()));
        }
        if (store.find(group.name())
                .filter(known -> !scope.covers(known.value().tenant()))
                .isPresent()) {
            throw ProblemException.notFound("group", group.name());
        }
    }

    @Override
    protected JobGroup view(JobGroup value) {
        return value;
    }
}
