package dev.spur.service.api;

import dev.spur.model.job.JobGroup;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.JobGroupStore;
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
                new NamedResource.Kind<>("group", "name", JobGroup.class, JobGroup::name, new Rules(store, tenants)),
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
    ResponseEntity<Page<JobGroup>> list(ContractRequest request) {
        return groups.list(request, group -> request.matches("tenant", group.tenant()));
    }

    @GetMapping("/{name}")
    ResponseEntity<JobGroup> get(ContractRequest request) {
        return groups.get(request);
    }

    @PutMapping("/{name}")
    ResponseEntity<JobGroup> put(ContractRequest request) {
        requireWithinReach(request);
        return groups.put(request);
    }

    /** A tenant out of scope is treated as missing, and so is its group. */
    private void requireWithinReach(ContractRequest request) {
        String name = request.text("name");
        String tenant = request.body().path("tenant").asString();
        if (!request.reach().covers(tenant)) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE, FieldError.at("/tenant", "there is no tenant " + tenant));
        }
        if (store.find(name)
                .filter(group -> !request.reach().covers(group.value().tenant()))
                .isPresent()) {
            throw ProblemException.notFound("group", name);
        }
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return groups.delete(request);
    }
}
