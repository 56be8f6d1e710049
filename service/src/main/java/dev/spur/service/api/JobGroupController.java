package dev.spur.service.api;

import dev.spur.model.job.JobGroup;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.store.JobGroupStore;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Job groups, whose jobs share a cap. */
@RestController
@RequestMapping("/api/v1/groups")
class JobGroupController {
    private final NamedResource<JobGroup> groups;
    private final JobGroupStore store;

    JobGroupController(
            JobGroupStore store,
            TenantStore tenants,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.store = store;
        groups = new NamedResource<>(
                new NamedResource.Kind<>("group", JobGroup::name, new Rules(store, tenants)),
                store,
                transaction,
                trigger,
                trail);
    }

    private record Rules(JobGroupStore groups, TenantStore tenants) implements NamedResource.Rules<JobGroup> {
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
        return groups.list(scope, page, group -> ListFilter.matches(tenant, group.tenant()))
                .response();
    }

    @GetMapping("/{name}")
    ResponseEntity<JobGroup> get(@PathVariable String name) {
        return groups.get(name);
    }

    @PutMapping("/{name}")
    ResponseEntity<JobGroup> put(
            @RequestBody JobGroup group,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch,
            AccessScope scope) {
        requireInScope(group, scope);
        return groups.put(group, ifMatch, ifNoneMatch);
    }

    /** A tenant out of scope is treated as missing, and so is its group. */
    private void requireInScope(JobGroup group, AccessScope scope) {
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

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name, @RequestHeader("If-Match") Optional<String> ifMatch) {
        return groups.delete(name, ifMatch);
    }
}
